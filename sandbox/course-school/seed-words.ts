/** What seeds are made of: names and texts as they come in from several countries, awkward ones included. */

export const homes = [
  { zone: 'Europe/Lisbon', currency: 'EUR' },
  { zone: 'Europe/Warsaw', currency: 'PLN' },
  { zone: 'Asia/Kolkata', currency: 'INR' },
  { zone: 'America/St_Johns', currency: 'CAD' },
  { zone: 'Pacific/Auckland', currency: 'NZD' },
  { zone: 'America/Los_Angeles', currency: 'USD' },
  { zone: 'Asia/Jerusalem', currency: 'ILS' },
] as const

export const courses = [
  ['Aguarela para principiantes', 'aguarela'],
  ['Bread at home: sourdough, rye & more', 'bread'],
  ['Fotografia de rua à noite', 'fotografia'],
  ['Ceramika od podstaw', 'ceramika'],
  ['أساسيات الخط العربي', 'khatt'],
  ['Nähen für alle: vom Faden zum Kleid', 'naehen'],
  ['עברית בעשרים שיעורים', 'ivrit'],
  ['Guitare: les 30 premiers accords', 'guitare'],
  ['Bookkeeping <for> people who "hate" numbers', 'bookkeeping'],
  ['Türk mutfağına giriş', 'mutfak'],
  ['Yoga with a bad back', 'yoga'],
  ['书法入门', 'shufa'],
  ['Ullstickning – en första tröja', 'stickning'],
  ['Ideas for next year', 'ideas'],
] as const

export const headings = [
  'Before you start',
  'Material e ferramentas',
  'Pierwsze kroki',
  'التمرين الأول',
  'Die Grundlagen',
  'Allons plus loin',
  'שאלות ותשובות',
  'Common mistakes & how to mend them',
  'Your own project',
] as const

export const lectures = [
  'Welcome',
  'What you need',
  'Luz e sombra',
  'A first try',
  'Ćwiczenie 1: linia',
  'اختيار الأدوات',
  'Häufige Fehler',
  'Watch me do it',
  'À vous !',
  'שיעור חזרה',
  'Questions from last time',
  'Check what you know',
  'Read on <optional>',
  'Homework',
] as const

export const paragraphs = [
  '# Welcome\n\nTake your time: there is *no* exam.',
  '## Do que precisa\n\n- papel de 300 g\n- três pincéis\n- água limpa\n\n![A mesa](https://images.example/mesa.jpg)',
  'Narysuj linię. Potem **drugą**, obok.\n\n> Nie śpiesz się.',
  'ارسم الحرف ببطء، ثم أعد المحاولة **ثلاث مرات**.',
  'Den Faden einfädeln, dann [das Video](https://video.example/v/12) ansehen.',
  'Écoutez d’abord, jouez ensuite.\n\n1. Do\n2. Ré\n3. Mi',
  'קראו את הטקסט בקול רם.',
  'Use `2 + 2` & compare: 5 < 7 > 3, "quoted" and <b>not bold</b>.',
] as const

export const captions: Record<string, readonly string[]> = {
  video: ['Introduction (4:12)', 'A mão em movimento', 'مشاهدة الدرس', 'Close-up: the knot'],
  pdf: ['Worksheet', 'Arkusz ćwiczeń', 'Vorlage A4'],
  audio: ['Listen: track 1', 'נגן'],
  download: ['All templates (zip)', 'Palette.ase'],
  quiz: ['Check yourself', 'Mini-teste', 'Five questions'],
}

export const people = [
  'José Antonio Núñez',
  'Łukasz Wójcik',
  'Åsa Öberg',
  'محمد العلوي',
  'שרה כהן',
  'Nguyễn Thị Hà',
  'İpek Şahin',
  "Siobhán O'Brien",
  'Zoé Lefèvre',
  '陈大文',
  'Jürgen Groß',
  'Maria da Conceição',
  'Ann <b>Bold</b> & Sons',
  'Ólafur Þór Jónsson',
  'Priya Raghunathan',
  'Tāne Māhuta',
] as const

export const said = [
  'Loved this one, thank you!',
  'O link do PDF não abre no telemóvel.',
  'Czy można użyć innego papieru?',
  'شكرا جزيلا، درس واضح.',
  'Ab Minute 3 ist der Ton zu leise.',
  'Et si on n’a pas de piano ?\nUn clavier suffit ?',
  'תודה! מתי השיעור הבא?',
  'Buy cheap watches at <a href="https://spam.example">here</a>!!!',
  'My dough does not rise. What did I do wrong?',
  '👍',
] as const

export const answers = [
  'Thank you for telling me, I have mended it.',
  'Sim, qualquer papel grosso serve.',
  'نعم، بالطبع.',
  'A keyboard is fine.',
] as const

export const campaigns = [
  'Early bird',
  'Black Friday',
  'Para amigos',
  'Dzień Nauczyciela',
  'خصم رمضان',
  'Sommeraktion',
  'Press & reviewers',
  'חנוכה',
] as const

const sentence = 'Mix the colour first, test it on a scrap, and only then touch the paper: devagar, sans se presser. '

export const longText = `# The long one\n\n${sentence.repeat(480)}`.slice(0, 40_000)

const wonder = 'I have watched this part many times now and still wonder about the second step. '

export const longComment = wonder.repeat(30).slice(0, 2000)
