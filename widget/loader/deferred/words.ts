import { english } from '../words.ts';
import type { Words as CoreWords } from '../words.ts';

export interface Words extends CoreWords {
  unread: string;
}

type Row = [open: string, close: string, title: string, failed: string, retry: string, unread: string];

/** The core's sentences, in the order of `Row`, by the tags of `widget/app/i18n/languages.ts`. */
const rows: Record<string, Row> = {
  de: [
    'Support öffnen',
    'Support schließen',
    'Support',
    'Der Support konnte nicht geladen werden.',
    'Erneut versuchen',
    '{count} ungelesen',
  ],
  fr: [
    'Ouvrir l’assistance',
    'Fermer l’assistance',
    'Assistance',
    'L’assistance n’a pas pu être chargée.',
    'Réessayer',
    'non lus : {count}',
  ],
  es: [
    'Abrir soporte',
    'Cerrar soporte',
    'Soporte',
    'No se pudo cargar el soporte.',
    'Reintentar',
    '{count} sin leer',
  ],
  'pt-BR': [
    'Abrir suporte',
    'Fechar suporte',
    'Suporte',
    'Não foi possível carregar o suporte.',
    'Tentar de novo',
    'não lidas: {count}',
  ],
  it: [
    'Apri assistenza',
    'Chiudi assistenza',
    'Assistenza',
    'Impossibile caricare l’assistenza.',
    'Riprova',
    '{count} da leggere',
  ],
  nl: [
    'Klantenservice openen',
    'Klantenservice sluiten',
    'Klantenservice',
    'De klantenservice kon niet worden geladen.',
    'Opnieuw proberen',
    '{count} ongelezen',
  ],
  pl: [
    'Otwórz pomoc',
    'Zamknij pomoc',
    'Pomoc',
    'Nie udało się wczytać pomocy.',
    'Spróbuj ponownie',
    'nieprzeczytane: {count}',
  ],
  sv: [
    'Öppna kundtjänst',
    'Stäng kundtjänst',
    'Kundtjänst',
    'Kundtjänst kunde inte läsas in.',
    'Försök igen',
    '{count} olästa',
  ],
  tr: ['Desteği aç', 'Desteği kapat', 'Destek', 'Destek yüklenemedi.', 'Tekrar dene', '{count} okunmamış'],
  uk: [
    'Відкрити підтримку',
    'Закрити підтримку',
    'Підтримка',
    'Не вдалося завантажити підтримку.',
    'Спробувати ще раз',
    'непрочитані: {count}',
  ],
  ru: [
    'Открыть поддержку',
    'Закрыть поддержку',
    'Поддержка',
    'Не удалось загрузить поддержку.',
    'Повторить',
    'непрочитанные: {count}',
  ],
  ar: ['فتح الدعم', 'إغلاق الدعم', 'الدعم', 'تعذّر تحميل الدعم.', 'إعادة المحاولة', 'غير مقروء: {count}'],
  he: [
    'פתיחת התמיכה',
    'סגירת התמיכה',
    'תמיכה',
    'לא ניתן היה לטעון את התמיכה.',
    'ניסיון נוסף',
    'לא נקראו: {count}',
  ],
  fa: [
    'باز کردن پشتیبانی',
    'بستن پشتیبانی',
    'پشتیبانی',
    'پشتیبانی بارگذاری نشد.',
    'تلاش دوباره',
    '{count} خوانده‌نشده',
  ],
  hi: ['सहायता खोलें', 'सहायता बंद करें', 'सहायता', 'सहायता लोड नहीं हो सकी।', 'फिर से कोशिश करें', '{count} अपठित'],
  ja: [
    'サポートを開く',
    'サポートを閉じる',
    'サポート',
    'サポートを読み込めませんでした。',
    '再試行',
    '未読 {count} 件',
  ],
  ko: [
    '고객 지원 열기',
    '고객 지원 닫기',
    '고객 지원',
    '고객 지원을 불러오지 못했습니다.',
    '다시 시도',
    '읽지 않음 {count}개',
  ],
  'zh-Hans': ['打开客服', '关闭客服', '客服', '客服无法加载。', '重试', '{count} 条未读'],
  'zh-Hant': ['開啟客服', '關閉客服', '客服', '無法載入客服。', '再試一次', '{count} 則未讀'],
  vi: ['Mở hỗ trợ', 'Đóng hỗ trợ', 'Hỗ trợ', 'Không tải được phần hỗ trợ.', 'Thử lại', '{count} chưa đọc'],
  id: [
    'Buka bantuan',
    'Tutup bantuan',
    'Bantuan',
    'Bantuan tidak dapat dimuat.',
    'Coba lagi',
    '{count} belum dibaca',
  ],
};

const ours: Words = { ...english, unread: '{count} unread' };
const names = Object.keys(ours) as (keyof Words)[];

/** Every language that the core can speak, by its tag. */
export const languages: Record<string, Words> = { en: ours };
for (const tag in rows)
  languages[tag] = Object.fromEntries(names.map((name, index) => [name, rows[tag]![index]!])) as Record<
    keyof Words,
    string
  >;

/** Language and script that readers of a tag want: `zh-TW` → `zh-Hant`; null for what is no tag. */
function writing(tag: string): string | null {
  try {
    const { language, script } = new Intl.Locale(tag.replaceAll('_', '-')).maximize();
    return `${language}-${script}`;
  } catch {
    return null;
  }
}

/**
 * The core's sentences for the first of the wishes that there is, as the BFF chooses the app's, with the site's own
 * texts in their place: `launcher.open`, `launcher.close`, …
 */
export function chooseWords(wishes: readonly string[], texts?: Record<string, unknown> | null): Words {
  const tags = Object.keys(languages);
  const tag = wishes
    .map((wish) => writing(wish))
    .map((wanted) => wanted && tags.find((each) => writing(each) === wanted))
    .find(Boolean);
  const own = names
    .map((name) => [name, texts?.[`launcher.${name}`]])
    .filter(([, text]) => typeof text === 'string');
  return { ...languages[tag ?? 'en']!, ...(Object.fromEntries(own) as Partial<Words>) };
}
