/** What people have written on the screens, in the language of the screen. */
export interface Copy {
  brand: string;
  name: string;
  subjects: { chipped: string; refund: string; delivery: string };
  greeting: string;
  problem: string;
  more: string;
  answer: string;
  question: string;
  thanks: string;
  late: string;
}

const en: Copy = {
  brand: 'Acme',
  name: 'Ada',
  subjects: {
    chipped: 'The lid of my teapot is chipped',
    refund: 'Refund for order 4711',
    delivery: 'Where is my parcel?',
  },
  greeting: 'Good morning! My teapot arrived today, and its lid is chipped.',
  problem: 'It came like this:\n  - box: fine 📦\n  - pot: fine\n  - lid: chipped 😢',
  more: 'Here is a photo: https://photos.example.com/teapot/2026/03/lid-with-a-very-long-name.jpg?size=large',
  answer: 'Sorry about that, Ada. A new lid leaves our house today.',
  question: 'Does it go to the same address as before?',
  thanks: 'Yes, please. Thank you!',
  late: 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenhersteller is the name on the door.',
};

const ar: Copy = {
  brand: 'Acme',
  name: 'ليلى',
  subjects: {
    chipped: 'غطاء إبريق الشاي مكسور',
    refund: 'استرداد ثمن الطلب 4711',
    delivery: 'أين طردي؟',
  },
  greeting: 'صباح الخير! وصل إبريق الشاي اليوم، وغطاؤه مكسور.',
  problem: 'وصل هكذا:\n  - الصندوق: سليم 📦\n  - الإبريق: سليم\n  - الغطاء: مكسور 😢',
  more: 'هذه صورة: https://photos.example.com/teapot/2026/03/lid-with-a-very-long-name.jpg?size=large',
  answer: 'نعتذر عن ذلك يا ليلى. سنرسل غطاءً جديدًا اليوم.',
  question: 'هل نرسله إلى العنوان نفسه؟',
  thanks: 'نعم من فضلكم. شكرًا!',
  late: 'الاسم على الباب هو Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenhersteller.',
};

export const copies = { en, ar } as const;
