/** What the message with a code says in one language; `{code}` and `{brand}` are filled in. */
export interface CodeSentences {
  subject: string;
  /** Stands over the code. */
  lead: string;
  use: string;
  warning: string;
}

/** By the language tags of the widget's documents (`widget/app/i18n/languages.ts`). */
export const codeSentences: ReadonlyMap<string, CodeSentences> = new Map(
  Object.entries({
    en: {
      subject: '{code} is your code for {brand}',
      lead: 'Your code for {brand}:',
      use: 'Enter it where you asked for it. It works once and expires in 10 minutes.',
      warning:
        'If you didn’t ask for a code, you can ignore this email. Nobody can use your address without the code. Don’t share it with anyone, even if they say they work here.',
    },
    de: {
      subject: '{code} ist Ihr Code für {brand}',
      lead: 'Ihr Code für {brand}:',
      use: 'Geben Sie ihn dort ein, wo Sie ihn angefordert haben. Er gilt einmal und 10 Minuten lang.',
      warning:
        'Wenn Sie keinen Code angefordert haben, können Sie diese Nachricht ignorieren: Ohne ihn kann niemand Ihre Adresse benutzen. Geben Sie ihn niemandem, auch niemandem, der sich als Mitarbeiter ausgibt.',
    },
    fr: {
      subject: '{code} est votre code pour {brand}',
      lead: 'Votre code pour {brand}\u00a0:',
      use: 'Saisissez-le là où vous l’avez demandé. Il sert une seule fois et est valable 10 minutes.',
      warning:
        'Si vous n’avez pas demandé de code, vous pouvez ignorer ce message\u00a0: sans lui, personne ne peut utiliser votre adresse. Ne le donnez à personne, pas même à quelqu’un qui dit travailler ici.',
    },
    es: {
      subject: '{code} es su código de {brand}',
      lead: 'Su código de {brand}:',
      use: 'Escríbalo donde lo ha pedido. Sirve una sola vez y durante 10 minutos.',
      warning:
        'Si no ha pedido ningún código, puede ignorar este mensaje: sin él nadie puede usar su dirección. No se lo dé a nadie, tampoco a quien diga que trabaja aquí.',
    },
    'pt-BR': {
      subject: '{code} é o seu código para {brand}',
      lead: 'Seu código para {brand}:',
      use: 'Digite-o onde você o pediu. Ele funciona uma única vez e vale por 10 minutos.',
      warning:
        'Se você não pediu um código, ignore esta mensagem: sem ele ninguém pode usar o seu endereço. Nunca o passe a ninguém, nem a quem diga que trabalha aqui.',
    },
    it: {
      subject: '{code} è il tuo codice per {brand}',
      lead: 'Il tuo codice per {brand}:',
      use: 'Inseriscilo dove lo hai richiesto. Funziona una sola volta ed è valido per 10 minuti.',
      warning:
        'Se non hai richiesto un codice, puoi ignorare questo messaggio: senza il codice nessuno può usare il tuo indirizzo. Non darlo a nessuno, nemmeno a chi dice di lavorare qui.',
    },
    nl: {
      subject: '{code} is uw code voor {brand}',
      lead: 'Uw code voor {brand}:',
      use: 'Vul hem in waar u erom hebt gevraagd. De code werkt één keer en 10 minuten lang.',
      warning:
        'Hebt u niet om een code gevraagd, dan kunt u dit bericht negeren: zonder de code kan niemand uw adres gebruiken. Geef hem aan niemand, ook niet aan iemand die zegt hier te werken.',
    },
    pl: {
      subject: '{code} – kod do {brand}',
      lead: 'Kod do {brand}:',
      use: 'Należy go wpisać tam, gdzie o niego poproszono. Działa tylko raz i jest ważny przez 10 minut.',
      warning:
        'Jeśli nikt tu nie prosił o kod, tę wiadomość można zignorować: bez kodu nikt nie użyje tego adresu. Nie należy go podawać nikomu, nawet osobie, która twierdzi, że tu pracuje.',
    },
    sv: {
      subject: '{code} är din kod för {brand}',
      lead: 'Din kod för {brand}:',
      use: 'Skriv in den där du bad om den. Den fungerar en gång och i 10 minuter.',
      warning:
        'Om du inte har bett om en kod kan du bortse från det här meddelandet: utan den kan ingen använda din adress. Ge den aldrig till någon, inte ens till någon som säger sig arbeta här.',
    },
    tr: {
      subject: '{code}, {brand} için kodunuz',
      lead: '{brand} için kodunuz:',
      use: 'Kodu, istediğiniz yere yazın. Yalnızca bir kez kullanılabilir ve 10 dakika geçerlidir.',
      warning:
        'Kod istemediyseniz bu iletiyi yok sayabilirsiniz: kod olmadan kimse adresinizi kullanamaz. Kodu kimseye, burada çalıştığını söyleyen birine bile vermeyin.',
    },
    uk: {
      subject: '{code} – ваш код для {brand}',
      lead: 'Ваш код для {brand}:',
      use: 'Введіть його там, де ви його запитали. Він діє один раз і протягом 10 хвилин.',
      warning:
        'Якщо ви не запитували код, просто проігноруйте цей лист: без нього ніхто не скористається вашою адресою. Нікому його не повідомляйте, навіть тому, хто каже, що працює тут.',
    },
    ru: {
      subject: '{code} – ваш код для {brand}',
      lead: 'Ваш код для {brand}:',
      use: 'Введите его там, где вы его запросили. Он действует один раз и в течение 10 минут.',
      warning:
        'Если вы не запрашивали код, просто не обращайте внимания на это письмо: без него никто не сможет воспользоваться вашим адресом. Никому его не сообщайте, даже тому, кто говорит, что работает здесь.',
    },
    ar: {
      subject: '{code} هو رمزك لدى {brand}',
      lead: 'رمزك لدى {brand}:',
      use: 'اكتبه في المكان الذي طلبته فيه. يعمل مرة واحدة فقط ولمدة 10 دقائق.',
      warning:
        'إذا لم تطلب رمزًا فيمكنك تجاهل هذه الرسالة: لا يستطيع أحد استخدام عنوانك من دونه. لا تعطه لأي أحد، حتى لمن يقول إنه يعمل هنا.',
    },
    he: {
      subject: '{code} הוא הקוד שלך עבור {brand}',
      lead: 'הקוד שלך עבור {brand}:',
      use: 'יש להקליד אותו במקום שבו ביקשת אותו. הוא פועל פעם אחת ולמשך 10 דקות.',
      warning:
        'אם לא ביקשת קוד, אפשר להתעלם מהודעה זו: בלעדיו איש אינו יכול להשתמש בכתובת שלך. אין למסור אותו לאיש, גם לא למי שאומר שהוא עובד כאן.',
    },
    fa: {
      subject: '{code} کد شما برای {brand} است',
      lead: 'کد شما برای {brand}:',
      use: 'آن را همان‌جا که درخواستش کردید وارد کنید. این کد فقط یک بار کار می‌کند و ۱۰ دقیقه اعتبار دارد.',
      warning:
        'اگر کدی نخواسته‌اید، این پیام را نادیده بگیرید: بدون آن هیچ‌کس نمی‌تواند از نشانی شما استفاده کند. آن را به هیچ‌کس ندهید، حتی به کسی که می‌گوید اینجا کار می‌کند.',
    },
    hi: {
      subject: '{code} {brand} के लिए आपका कोड है',
      lead: '{brand} के लिए आपका कोड:',
      use: 'इसे वहीं लिखें जहाँ आपने इसे माँगा था। यह सिर्फ़ एक बार और 10 मिनट तक काम करता है।',
      warning:
        'अगर आपने कोड नहीं माँगा, तो इस संदेश पर ध्यान न दें: इसके बिना कोई आपके पते का उपयोग नहीं कर सकता। इसे किसी को न दें, उसे भी नहीं जो कहे कि वह यहाँ काम करता है।',
    },
    ja: {
      subject: '{code} は {brand} のコードです',
      lead: '{brand} のコード:',
      use: 'コードを求めた画面に入力してください。使えるのは 1 回だけで、10 分間有効です。',
      warning:
        'コードを求めた覚えがない場合は、このメールを無視してください。コードがなければ、誰もあなたのアドレスを使えません。担当者を名乗る人も含め、誰にも教えないでください。',
    },
    ko: {
      subject: '{brand} 코드: {code}',
      lead: '{brand} 코드:',
      use: '코드를 요청한 곳에 입력하세요. 한 번만 쓸 수 있고 10분 동안 유효합니다.',
      warning:
        '코드를 요청하지 않았다면 이 메일을 무시해도 됩니다. 코드가 없으면 아무도 이 주소를 쓸 수 없습니다. 직원이라고 말하는 사람을 포함해 누구에게도 알려 주지 마세요.',
    },
    'zh-Hans': {
      subject: '{code} 是您在 {brand} 的验证码',
      lead: '您在 {brand} 的验证码：',
      use: '请在您获取验证码的页面输入。仅可使用一次，10 分钟内有效。',
      warning:
        '如果您没有请求验证码，请忽略此邮件：没有验证码，任何人都无法使用您的邮箱地址。请勿将其告诉任何人，包括自称工作人员的人。',
    },
    'zh-Hant': {
      subject: '{code} 是您在 {brand} 的驗證碼',
      lead: '您在 {brand} 的驗證碼：',
      use: '請在您取得驗證碼的頁面輸入。僅能使用一次，10 分鐘內有效。',
      warning:
        '如果您沒有要求驗證碼，請忽略這封郵件：沒有驗證碼，任何人都無法使用您的電子郵件地址。請勿告訴任何人，包括自稱是工作人員的人。',
    },
    vi: {
      subject: '{code} là mã của bạn cho {brand}',
      lead: 'Mã của bạn cho {brand}:',
      use: 'Nhập mã vào nơi bạn đã yêu cầu. Mã chỉ dùng được một lần và có hiệu lực trong 10 phút.',
      warning:
        'Nếu bạn không yêu cầu mã, hãy bỏ qua thư này: không có mã thì không ai dùng được địa chỉ của bạn. Đừng đưa mã cho bất kỳ ai, kể cả người nói rằng họ làm việc ở đây.',
    },
    id: {
      subject: '{code} adalah kode Anda untuk {brand}',
      lead: 'Kode Anda untuk {brand}:',
      use: 'Ketik di tempat Anda memintanya. Kode hanya dapat dipakai sekali dan berlaku selama 10 menit.',
      warning:
        'Jika Anda tidak meminta kode, abaikan pesan ini: tanpa kode, tidak ada yang dapat memakai alamat Anda. Jangan berikan kepada siapa pun, juga kepada orang yang mengaku bekerja di sini.',
    },
  }),
);
