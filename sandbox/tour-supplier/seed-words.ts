/** What seeds are made of: texts as they come in from several countries, awkward ones included. */

/** By `ordinal`: the first is that of the demo supplier, whose clocks show UTC all year. `worth` is what one euro is. */
export const homes = [
  { zone: 'Atlantic/Reykjavik', cur: 'EUR', digits: 2, worth: 1 },
  { zone: 'America/Sao_Paulo', cur: 'BRL', digits: 2, worth: 6 },
  { zone: 'Asia/Tokyo', cur: 'JPY', digits: 0, worth: 160 },
  { zone: 'Africa/Tunis', cur: 'TND', digits: 3, worth: 3 },
  { zone: 'Asia/Jerusalem', cur: 'ILS', digits: 2, worth: 4 },
  { zone: 'Pacific/Auckland', cur: 'NZD', digits: 2, worth: 2 },
  { zone: 'Europe/Warsaw', cur: 'PLN', digits: 2, worth: 4 },
] as const

interface ActivitySeed {
  headline: string
  stage: 'ONLINE' | 'OFFLINE'
  zone: string
  variants: readonly (readonly [label: string, starts: string, weekdays: string, capacity: number])[]
}

const long = 'Grand walking tour of the old town, the harbour, three markets and the seven viewpoints '

/** Of every supplier, each in the zone where it takes place. */
export const activities: readonly ActivitySeed[] = [
  {
    headline: 'Walking Tour of Alfama & Mouraria',
    stage: 'ONLINE',
    zone: 'Europe/Lisbon',
    variants: [
      ['Small group, English', '0900,1130,1500', '1111111', 18],
      ['Private, Português', '1000,1630', '1111110', 10],
    ],
  },
  {
    headline: 'Golden Circle — Gullfoss, Geysir & Þingvellir',
    stage: 'ONLINE',
    zone: 'Atlantic/Reykjavik',
    variants: [
      ['With pick-up', '0800', '1111111', 34],
      ['Without pick-up', '0830,1300', '1111111', 40],
    ],
  },
  {
    headline: 'Northern lights by minibus <b>late</b> "guaranteed"',
    stage: 'ONLINE',
    zone: 'Atlantic/Reykjavik',
    variants: [['Evening and midnight', '0000,2130,2359', '1111111', 16]],
  },
  {
    headline: 'סיור אוכל בשוק מחנה יהודה',
    stage: 'ONLINE',
    zone: 'Asia/Jerusalem',
    variants: [['עברית', '0930,1200', '1111001', 14]],
  },
  {
    headline: 'جولة في المدينة القديمة',
    stage: 'ONLINE',
    zone: 'Africa/Casablanca',
    variants: [['العربية / Français', '0915,1745', '1111111', 20]],
  },
  {
    headline: 'Kathmandu: Patan Durbar at dawn',
    stage: 'ONLINE',
    zone: 'Asia/Kathmandu',
    variants: [['', '0545', '1111111', 12]],
  },
  {
    headline: 'Tsukiji Outer Market 築地 tasting',
    stage: 'ONLINE',
    zone: 'Asia/Tokyo',
    variants: [
      ['Breakfast', '0730', '1110111', 8],
      ['Lunch', '1145', '1110111', 8],
    ],
  },
  {
    headline: 'Brooklyn on two wheels',
    stage: 'ONLINE',
    zone: 'America/New_York',
    variants: [['Bike included', '1000,1400,1830', '1111111', 15]],
  },
  {
    headline: 'Milford Sound – cruise & kayak',
    stage: 'ONLINE',
    zone: 'Pacific/Auckland',
    variants: [['Kayak', '0645', '1111111', 9]],
  },
  {
    headline: `${long}${long}`.slice(0, 120).padEnd(160, '·'),
    stage: 'ONLINE',
    zone: 'Europe/Lisbon',
    variants: [['All of it', '0700', '0000011', 30]],
  },
  {
    headline: 'Kraków: Żydowski Kazimierz',
    stage: 'OFFLINE',
    zone: 'Europe/Warsaw',
    variants: [['Deutsch', '1015,1415', '1111100', 22]],
  },
  {
    headline: 'Iguaçu, lado brasileiro',
    stage: 'OFFLINE',
    zone: 'America/Sao_Paulo',
    variants: [['Dia inteiro', '0700', '1111111', 28]],
  },
  {
    headline: 'Winter snowshoeing',
    stage: 'OFFLINE',
    zone: 'Europe/Zurich',
    variants: [['Beginners', '0930', '0101011', 10]],
  },
]

export const guests = [
  ['José Núñez', 'es'],
  ['Zoë Müller', 'de'],
  ['محمد العلوي', 'ar'],
  ['נועה לוי', 'he'],
  ['Łukasz Żeromski', 'pl'],
  ['佐藤 花子', 'ja'],
  ['Siobhán O’Connor', 'en'],
  ['Nguyễn Thị Ánh', 'vi'],
  ['Þóra Guðmundsdóttir', 'is'],
  ['Chloé d’Aubigné', 'fr'],
  ['Conceição da Silva', 'pt-BR'],
  ['"Bobby" <script>alert(1)</script> & Sons', 'en'],
  ['X', 'en'],
  [`Maximiliana ${'von und zu '.repeat(9)}Ende`, 'de'],
] as const

export const questions = [
  'Hello! Where exactly do we meet?',
  'Bonjour, est-ce que la poussette est possible ? Merci beaucoup.',
  'هل يمكننا إحضار كلب صغير؟',
  'האם יש אפשרות צמחונית?',
  'We are running 10 minutes late, please wait for us!!\n\nThanks,\nthe family',
  '雨の場合はどうなりますか？',
  'Can we add one more child (7)? <i>She is small</i> & quiet.',
  `So, a long story. ${'We would love to know more about the route, the breaks and the food. '.repeat(28)}`,
  '🙂',
] as const

export const replies = [
  'We meet in front of the church, by the fountain.',
  'Oui, sans problème.\nÀ bientôt !',
  'بكل سرور، نراكم غدا.',
  'No trouble at all — we keep your seats.',
] as const

export const opinions = [
  'Loved every minute of it.',
  'Très bien, mais un peu long.',
  '',
  'מדריך מצוין, אוכל טעים!',
  'تجربة رائعة',
  'The guide was 40 minutes late and nobody answered the phone. "Never again" — <b>really</b>.',
  '最高でした！',
  `Where to begin? ${'Every street had a story of its own, and our guide knew all of them by heart. '.repeat(48)}`,
  'OK',
] as const
