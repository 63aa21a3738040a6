import { english } from '../loader/words.ts';
import type { Words } from '../loader/words.ts';

type Row = [open: string, close: string, title: string, unread: string, failed: string, retry: string];

/** The core's sentences, in the order of `english`, by the tags of `widget/app/i18n/languages.ts`. */
const rows: Record<string, Row> = {
  de: ['Support öffnen', 'Support schließen', 'Support', '{count} ungelesen', 'Der Support konnte nicht geladen werden.', 'Erneut versuchen'],
  fr: ['Ouvrir l’assistance', 'Fermer l’assistance', 'Assistance', 'non lus : {count}', 'L’assistance n’a pas pu être chargée.', 'Réessayer'],
  es: ['Abrir soporte', 'Cerrar soporte', 'Soporte', '{count} sin leer', 'No se pudo cargar el soporte.', 'Reintentar'],
  'pt-BR': ['Abrir suporte', 'Fechar suporte', 'Suporte', 'não lidas: {count}', 'Não foi possível carregar o suporte.', 'Tentar de novo'],
  it: ['Apri assistenza', 'Chiudi assistenza', 'Assistenza', '{count} da leggere', 'Impossibile caricare l’assistenza.', 'Riprova'],
  nl: ['Klantenservice openen', 'Klantenservice sluiten', 'Klantenservice', '{count} ongelezen', 'De klantenservice kon niet worden geladen.', 'Opnieuw proberen'],
  pl: ['Otwórz pomoc', 'Zamknij pomoc', 'Pomoc', 'nieprzeczytane: {count}', 'Nie udało się wczytać pomocy.', 'Spróbuj ponownie'],
  sv: ['Öppna kundtjänst', 'Stäng kundtjänst', 'Kundtjänst', '{count} olästa', 'Kundtjänst kunde inte läsas in.', 'Försök igen'],
  tr: ['Desteği aç', 'Desteği kapat', 'Destek', '{count} okunmamış', 'Destek yüklenemedi.', 'Tekrar dene'],
  uk: ['Відкрити підтримку', 'Закрити підтримку', 'Підтримка', 'непрочитані: {count}', 'Не вдалося завантажити підтримку.', 'Спробувати ще раз'],
  ru: ['Открыть поддержку', 'Закрыть поддержку', 'Поддержка', 'непрочитанные: {count}', 'Не удалось загрузить поддержку.', 'Повторить'],
  ar: ['فتح الدعم', 'إغلاق الدعم', 'الدعم', 'غير مقروء: {count}', 'تعذّر تحميل الدعم.', 'إعادة المحاولة'],
  he: ['פתיחת התמיכה', 'סגירת התמיכה', 'תמיכה', 'לא נקראו: {count}', 'לא ניתן היה לטעון את התמיכה.', 'ניסיון נוסף'],
  fa: ['باز کردن پشتیبانی', 'بستن پشتیبانی', 'پشتیبانی', '{count} خوانده‌نشده', 'پشتیبانی بارگذاری نشد.', 'تلاش دوباره'],
  hi: ['सहायता खोलें', 'सहायता बंद करें', 'सहायता', '{count} अपठित', 'सहायता लोड नहीं हो सकी।', 'फिर से कोशिश करें'],
  ja: ['サポートを開く', 'サポートを閉じる', 'サポート', '未読 {count} 件', 'サポートを読み込めませんでした。', '再試行'],
  ko: ['고객 지원 열기', '고객 지원 닫기', '고객 지원', '읽지 않음 {count}개', '고객 지원을 불러오지 못했습니다.', '다시 시도'],
  'zh-Hans': ['打开客服', '关闭客服', '客服', '{count} 条未读', '客服无法加载。', '重试'],
  'zh-Hant': ['開啟客服', '關閉客服', '客服', '{count} 則未讀', '無法載入客服。', '再試一次'],
  vi: ['Mở hỗ trợ', 'Đóng hỗ trợ', 'Hỗ trợ', '{count} chưa đọc', 'Không tải được phần hỗ trợ.', 'Thử lại'],
  id: ['Buka bantuan', 'Tutup bantuan', 'Bantuan', '{count} belum dibaca', 'Bantuan tidak dapat dimuat.', 'Coba lagi'],
};

const names = Object.keys(english) as (keyof Words)[];

const languages: Record<string, Words> = { en: english };
for (const tag in rows)
  languages[tag] = Object.fromEntries(names.map((name, index) => [name, rows[tag]![index]])) as Words;

/** Every language that the core can speak, by its tag. */
export { languages };

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
export function chooseWords(wishes: readonly string[], texts: Record<string, unknown> = {}): Words {
  const tags = Object.keys(languages);
  const tag = wishes
    .map((wish) => writing(wish))
    .map((wanted) => wanted && tags.find((each) => writing(each) === wanted))
    .find(Boolean);
  const own = names.map((name) => [name, texts[`launcher.${name}`]]).filter(([, text]) => typeof text === 'string');
  return { ...languages[tag ?? 'en']!, ...(Object.fromEntries(own) as Partial<Words>) };
}
