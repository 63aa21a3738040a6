/*
 * What mail programs write around the words of an answer, in the widget's languages and a few more. Data only. A new language is one
 * more row. `|` stands between phrases.
 */

/** What stands in the header block above a quoted mail. */
export type Label = 'from' | 'date' | 'to' | 'subject';

export interface MailPhrases extends Record<Label, readonly string[]> {
  /** How the line above a quote begins. Empty if it begins with the date or a name. */
  opens: readonly string[];
  /** The verb of that line. */
  wrote: readonly string[];
  /** Between dashes, above a quoted mail. */
  original: readonly string[];
  /** Between dashes or before a colon, above a forwarded mail. */
  forwarded: readonly string[];
  /** The line that a phone or an app adds. `…` stands for its name. */
  device: readonly string[];
  /** How the subject of an automatic answer begins. */
  away: readonly string[];
}

/** `labels`: from, date, to and subject of a header block. */
type Row = Record<Exclude<keyof MailPhrases, Label> | 'labels', string>;
const table: Record<string, Row> = {
  en: {
    opens: 'On ',
    wrote: 'wrote|said',
    labels: 'From / Sent|Date / To / Subject',
    original: 'Original Message|Original Email|Reply Message|Original',
    forwarded: 'Forwarded Message|Begin forwarded message|Forwarded by',
    device: 'Sent from …|Sent via …|Sent with …|Get Outlook for …|Get BlueMail for …',
    away: 'Automatic reply|Automated response|Automated reply|Vacation reply|Auto reply|Auto-reply|Autoreply|Out of office|Out of the office|Auto:',
  },
  de: {
    opens: 'Am ',
    wrote: 'schrieb|geschrieben',
    labels: 'Von / Gesendet|Datum / An / Betreff',
    original: 'Ursprüngliche Nachricht|Originalnachricht|Original-Nachricht',
    forwarded: 'Weitergeleitete Nachricht|Anfang der weitergeleiteten Nachricht',
    device:
      'Gesendet von …|Gesendet mit …|Von mein… gesendet|Diese Nachricht wurde von mein… gesendet|Holen Sie sich Outlook für …|Outlook für … herunterladen',
    away: 'Automatische Antwort|Abwesenheitsnotiz|Abwesend|Abwesenheit|Autoreply',
  },
  fr: {
    opens: 'Le ',
    wrote: 'a écrit',
    labels: 'De / Envoyé|Envoyé le|Date|Message du / À|A / Objet|Sujet',
    original: "Message d'origine|Message original|Message initial",
    forwarded: 'Message transféré|Début du message transféré|Message transmis|Début du message réexpédié',
    device:
      'Envoyé de mon …|Envoyé depuis …|Envoyé à partir de …|Envoyé avec …|Télécharger Outlook pour …|Obtenir Outlook pour …|Obtenez Outlook pour …',
    away: "Réponse automatique|Absence du bureau|Absent du bureau|Absence|Message d'absence",
  },
  es: {
    opens: 'El ',
    wrote: 'escribió',
    labels: 'De / Enviado|Enviado el|Fecha / Para|A / Asunto',
    original: 'Mensaje original',
    forwarded: 'Mensaje reenviado|Inicio del mensaje reenviado',
    device: 'Enviado desde …|Enviado con …|Enviado de mi …|Obtener Outlook para …|Descargar Outlook para …',
    away: 'Respuesta automática|Fuera de la oficina|Fuera de oficina|Ausente',
  },
  'pt-BR': {
    opens: 'Em |No dia |A ',
    wrote: 'escreveu',
    labels: 'De / Enviado|Enviada em|Enviado em|Data / Para / Assunto',
    original: 'Mensagem original',
    forwarded: 'Mensagem encaminhada|Mensagem reencaminhada|Início da mensagem encaminhada',
    device:
      'Enviado do …|Enviado de …|Enviado via …|Enviado por …|Enviado a partir …|Obter o Outlook para …|Baixe o Outlook para …',
    away: 'Resposta automática|Ausência temporária|Fora do escritório',
  },
  it: {
    opens: 'Il |In data |Il giorno ',
    wrote: 'ha scritto|scrisse',
    labels: 'Da / Inviato|Data / A / Oggetto',
    original: 'Messaggio originale',
    forwarded: 'Messaggio inoltrato|Inizio messaggio inoltrato',
    device: 'Inviato da …|Inviato dal …|Inviato con …|Ottieni Outlook per …|Scarica Outlook per …',
    away: 'Risposta automatica|Fuori sede|Fuori ufficio|Assente',
  },
  nl: {
    opens: 'Op ',
    wrote: 'schreef|geschreven',
    labels: 'Van / Verzonden|Datum / Aan / Onderwerp',
    original: 'Oorspronkelijk bericht|Origineel bericht',
    forwarded: 'Doorgestuurd bericht|Begin doorgestuurd bericht',
    device:
      'Verzonden vanaf …|Verstuurd vanaf …|Verzonden met …|Verstuurd met …|Verzonden via …|Outlook voor … downloaden|Outlook downloaden voor …',
    away: 'Automatisch antwoord|Niet aanwezig|Afwezig|Afwezigheid',
  },
  pl: {
    opens: 'W dniu |Dnia |pon., |wt., |śr., |czw., |pt., |sob., |niedz., ',
    wrote: 'napisał|napisała|napisał(a)|napisał/a|pisze',
    labels: 'Od / Wysłano|Wysłane|Data / Do / Temat',
    original: 'Wiadomość oryginalna|Oryginalna wiadomość|Wiadomość pierwotna',
    forwarded: 'Wiadomość przekazana dalej|Przekazana wiadomość|Początek przekazywanej wiadomości',
    device: 'Wysłane z …|Wysłano z …|Pobierz program Outlook dla …|Pobierz aplikację Outlook dla …',
    away: 'Automatyczna odpowiedź|Odpowiedź automatyczna|Nieobecność|Poza biurem',
  },
  sv: {
    opens: 'Den |mån |tis |ons |tors |fre |lör |sön ',
    wrote: 'skrev',
    labels: 'Från / Skickat|Datum / Till / Ämne',
    original: 'Ursprungligt meddelande|Originalmeddelande',
    forwarded: 'Vidarebefordrat meddelande|Vidarebefordrat brev|Vidarebefordrat mail',
    device: 'Skickat från …|Skickades från …|Skickat med …|Hämta Outlook för …|Skaffa Outlook för …',
    away: 'Autosvar|Automatiskt svar|Frånvarande|Frånvaro',
  },
  tr: {
    opens: '',
    wrote: 'yazdı|şunu yazdı|şunları yazdı',
    labels: 'Kimden|Gönderen / Gönderildi|Gönderme Tarihi|Tarih / Kime|Alıcı / Konu',
    original: 'Özgün İleti|Orijinal Mesaj|Orijinal İleti|Asıl ileti',
    forwarded: 'İletilmiş mesaj|İletilen mesaj|İletilen ileti başlangıcı|Yönlendirilmiş mesaj',
    device: "…dan gönderildi|…den gönderildi|…dan gönderilmiştir|…Outlook’u edinin|…Outlook'u edinin",
    away: 'Otomatik Yanıt|Otomatik Cevap|Ofis dışında|Dışarıda',
  },
  uk: {
    opens: '',
    wrote: 'пише|написав|написала|написав(-ла)|написав(ла)|написав/ла',
    labels: 'Від / Надіслано|Відправлено|Дата / Кому / Тема',
    original: 'Оригінальне повідомлення|Початкове повідомлення|Вихідне повідомлення',
    forwarded:
      'Переслане повідомлення|Пересланий лист|Перенаправлене повідомлення|Початок переадресованого повідомлення',
    device: 'Надіслано з …|Відправлено з …|Надіслано через …|Отримати Outlook для …|Отримайте Outlook для …',
    away: 'Автоматична відповідь|Автовідповідь|Немає на місці',
  },
  ru: {
    opens: '',
    wrote: 'написал|написала|написал(а)|написал/а|пишет|писал|писала|писал(а)',
    labels: 'От|От кого / Отправлено|Дата / Кому / Тема',
    original: 'Исходное сообщение|Оригинальное сообщение|Первоначальное сообщение|Исходное письмо',
    forwarded:
      'Пересылаемое сообщение|Пересланное сообщение|Перенаправленное сообщение|Начало переадресованного сообщения|Пересылаемое письмо',
    device: 'Отправлено с …|Отправлено из …|Послано с …|Скачать Outlook для …|Получить Outlook для …',
    away: 'Автоматический ответ|Автоответ|Автоответчик|Нет на месте|Вне офиса',
  },
  ar: {
    opens: 'في |بتاريخ ',
    wrote: 'كتب|كتبت|كتب/ت',
    labels: 'من / تاريخ الإرسال|تم الإرسال|التاريخ|أرسل|أُرسلت / إلى / الموضوع',
    original: 'الرسالة الأصلية|رسالة أصلية',
    forwarded: 'رسالة معاد توجيهها|الرسالة المعاد توجيهها|رسالة محولة|بدء الرسالة المعاد توجيهها',
    device:
      'أُرسلت من …|أرسلت من …|تم الإرسال من …|مرسل من …|مُرسل من …|الحصول على Outlook …|احصل على Outlook …',
    away: 'رد تلقائي|الرد التلقائي|خارج المكتب',
  },
  he: {
    opens: 'בתאריך |ב-|ב־',
    wrote: 'כתב|כתבה|כתב/ה|כתב/כתבה',
    labels: 'מאת / נשלח|תאריך / אל / נושא|הנדון',
    original: 'הודעה מקורית|ההודעה המקורית',
    forwarded: 'הודעה שהועברה|הודעה מועברת',
    device: 'נשלח מ…|נשלח באמצעות …|קבל את Outlook …|השג את Outlook …',
    away: 'תשובה אוטומטית|מענה אוטומטי|מחוץ למשרד',
  },
  fa: {
    opens: 'در ',
    wrote: 'نوشت|نوشته است|نوشته‌است|نوشته',
    labels: 'از|فرستنده / ارسال شده|ارسال‌شده|تاریخ / به|گیرنده / موضوع',
    original: 'پیام اصلی|پیغام اصلی',
    forwarded: 'پیام هدایت‌شده|پیام هدایت شده|پیام بازارسال‌شده|پیام فوروارد شده',
    device:
      'ارسال شده از …|ارسال‌شده از …|فرستاده شده از …|فرستاده‌شده از …|از … من فرستاده شد|دریافت Outlook …',
    away: 'پاسخ خودکار|خارج از دفتر',
  },
  hi: {
    opens: '',
    wrote: 'ने लिखा|लिखा',
    labels: 'प्रेषक|से|द्वारा / भेजा गया|दिनांक|तारीख|तिथि / प्रति|प्राप्तकर्ता|को|प्राप्त करने वाला / विषय',
    original: 'मूल संदेश',
    forwarded: 'अग्रेषित संदेश|फ़ॉरवर्ड किया गया संदेश|आगे भेजा गया संदेश',
    device: '… से भेजा गया|… से भेजा|…Outlook प्राप्त करें',
    away: 'स्वचालित उत्तर|स्वचालित जवाब|कार्यालय से बाहर',
  },
  ja: {
    opens: '',
    wrote: 'のメッセージ|書きました|書き込みました|書いた|のメール',
    labels: '差出人|送信者|送信元 / 送信日時|送信日|日付|日時 / 宛先 / 件名',
    original: '元のメッセージ|オリジナルメッセージ|元のメール',
    forwarded: '転送されたメッセージ|転送メッセージ|転送されたメール|転送メール',
    device: '…から送信|…からの送信|…から送信されました|…Outlook を入手|…Outlookを入手する',
    away: '自動応答|自動返信|不在通知|不在',
  },
  ko: {
    opens: '',
    wrote: '작성|님이 씀|쓴 글|님이 쓴 메시지|님이 작성함',
    labels: '보낸 사람|보낸사람|발신 / 보낸 날짜|보낸날짜|날짜|보냄 / 받는 사람|받는사람|수신 / 제목',
    original: '원본 메시지|원본 메일|원본메일|원래 메시지|원본 이메일',
    forwarded: '전달된 메시지|전달된 메일',
    device: '…에서 보냄|…에서 전송됨|…에서 보낸 메일|…에서 보냈습니다|…Outlook 다운로드',
    away: '자동 회신|자동 응답|자동회신|부재 중|부재중',
  },
  'zh-Hans': {
    opens: '在|于',
    wrote: '写道|写到',
    labels: '发件人 / 发送时间|发送日期|日期|时间 / 收件人 / 主题',
    original: '原始邮件|邮件原件|原邮件|回复的原邮件',
    forwarded: '转发的邮件|转发邮件信息|被转发邮件信息|已转发邮件|转发的消息|转发的原邮件',
    device: '发自我的…|发自…|从我的…发送|来自我的…|发送自…|获取…Outlook|获取 Outlook …',
    away: '自动答复|自动回复|外出',
  },
  'zh-Hant': {
    opens: '在|於',
    wrote: '寫道|寫到',
    labels: '寄件者|寄件人|從 / 寄件日期|傳送日期|傳送時間|日期 / 收件者|收件人 / 主旨|主題',
    original: '原始郵件|原始訊息|原始信件',
    forwarded: '轉寄的郵件|轉寄郵件|轉寄訊息|已轉寄的郵件|轉寄的訊息|轉寄的信件',
    device: '從我的…傳送|從…傳送|自我的…傳送|傳送自…|寄自我的…|取得…Outlook|由…寄出',
    away: '自動回覆|自動答覆|不在辦公室',
  },
  vi: {
    opens: 'Vào |Ngày ',
    wrote: 'đã viết|viết',
    labels: 'Từ / Đã gửi|Gửi lúc|Gửi|Ngày / Tới|Đến / Chủ đề|Tiêu đề',
    original: 'Thư gốc|Tin nhắn gốc|Thư nguyên bản',
    forwarded: 'Thư đã chuyển tiếp|Tin nhắn chuyển tiếp|Thư chuyển tiếp',
    device: 'Đã gửi từ …|Được gửi từ …|Gửi từ …|Tải Outlook cho …|Tải xuống Outlook cho …',
    away: 'Trả lời tự động|Tự động trả lời|Vắng mặt',
  },
  id: {
    opens: 'Pada ',
    wrote: 'menulis',
    labels: 'Dari / Dikirim|Terkirim|Tanggal / Kepada|Ke|Untuk / Subjek|Perihal|Judul',
    original: 'Pesan Asli',
    forwarded: 'Pesan terusan|Pesan yang diteruskan|Pesan diteruskan',
    device: 'Dikirim dari …|Terkirim dari …|Dapatkan Outlook untuk …|Unduh Outlook untuk …',
    away: 'Balasan otomatis|Jawaban otomatis|Di luar kantor',
  },
  da: {
    opens: 'Den |man. |tir. |tirs. |ons. |tor. |tors. |fre. |lør. |søn. ',
    wrote: 'skrev',
    labels: 'Fra / Sendt|Dato / Til / Emne',
    original: 'Oprindelig besked|Oprindelig meddelelse',
    forwarded: 'Videresendt meddelelse|Videresendt besked',
    device: 'Sendt fra …|Hent Outlook til …|Få Outlook for …',
    away: 'Automatisk svar|Autosvar|Fraværende',
  },
  fi: {
    opens: '',
    wrote: 'kirjoitti',
    labels: 'Lähettäjä / Lähetetty|Päivämäärä / Vastaanottaja / Aihe',
    original: 'Alkuperäinen viesti',
    forwarded: 'Välitetty viesti|Edelleenlähetetty viesti',
    device: 'Lähetetty …sta|Lähetetty …stä|Hanki Outlook …',
    away: 'Automaattinen vastaus|Poissa',
  },
  cs: {
    opens: '',
    wrote: 'napsal|napsala|napsal(a)|napsal/a|píše',
    labels: 'Od / Odesláno|Datum / Komu / Předmět',
    original: 'Původní zpráva|Původní e-mail',
    forwarded: 'Přeposlaná zpráva|Začátek přeposílané zprávy',
    device: 'Odesláno z …|Odesláno ze …|Získat Outlook pro …',
    away: 'Automatická odpověď|Mimo kancelář',
  },
  el: {
    opens: 'Στις |Την |Το ',
    wrote: 'έγραψε|έγραψαν',
    labels: 'Από / Στάλθηκε|Εστάλη|Αποστολή|Ημερομηνία / Προς / Θέμα',
    original: 'Αρχικό μήνυμα',
    forwarded: 'Προωθημένο μήνυμα|Αρχή προωθημένου μηνύματος',
    device: 'Στάλθηκε από …|Εστάλη από …|Απεστάλη από …|Λήψη του Outlook για …',
    away: 'Αυτόματη απάντηση|Εκτός γραφείου',
  },
  hu: {
    opens: '',
    wrote: 'ezt írta|írta',
    labels: 'Feladó / Elküldve|Küldve|Dátum / Címzett / Tárgy',
    original: 'Eredeti üzenet',
    forwarded: 'Továbbított üzenet|Továbbított levél',
    device: '…ról küldve|…ről küldve|…ról küldtem|Az Outlook … beszerzése',
    away: 'Automatikus válasz|Házon kívül',
  },
  ro: {
    opens: 'În |Pe ',
    wrote: 'a scris',
    labels: 'De la / Trimis|Data / Către|Catre / Subiect',
    original: 'Mesaj original|Mesajul original',
    forwarded: 'Mesaj redirecționat|Mesaj redirecţionat|Începutul mesajului redirecționat',
    device: 'Trimis de pe …|Trimis din …|Trimis de la …|Obțineți Outlook pentru …',
    away: 'Răspuns automat|Absent de la birou',
  },
  nb: {
    opens: 'Den |På |man. |tir. |ons. |tor. |fre. |lør. |søn. ',
    wrote: 'skrev',
    labels: 'Fra / Sendt|Dato / Til / Emne',
    original: 'Opprinnelig melding',
    forwarded: 'Videresendt melding|Begynnelse på videresendt melding',
    device: 'Sendt fra …|Last ned Outlook for …|Skaff deg Outlook for …',
    away: 'Automatisk svar|Fraværende|Fravær',
  },
};

const phrasesOf = (texts: string) => texts.split('|').filter(Boolean);

function phrasesIn({ labels, ...row }: Row): MailPhrases {
  const [from = '', date = '', to = '', subject = ''] = labels.split(' / ');
  const all = Object.entries({ ...row, from, date, to, subject });
  return Object.fromEntries(all.map(([name, texts]) => [name, phrasesOf(texts)])) as unknown as MailPhrases;
}

/** By language. */
export const mailPhrases: Readonly<Record<string, MailPhrases>> = Object.fromEntries(
  Object.entries(table).map(([language, row]) => [language, phrasesIn(row)]),
);

/** How the subject of a forwarded mail begins, in lower case. */
export const forwardPrefixes = phrasesOf(
  'fw:|πρθ:|fwd:|wg:|tr:|rv:|enc:|vb:|pd:|ilt:|i̇lt:|doorst:|пересл:|转发:|转发：|轉寄:|轉寄：|転送:|전달:',
);
