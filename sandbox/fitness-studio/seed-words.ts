/** By `ordinal`: the first is that of the demo studio, whose clocks show UTC all year. `rate`: a dollar in that money. */
export const homes = [
  { zone: 'Africa/Accra', ccy: 'GHS', rate: 8 },
  { zone: 'America/New_York', ccy: 'USD', rate: 1 },
  { zone: 'Asia/Tokyo', ccy: 'JPY', rate: 150 },
  { zone: 'Europe/Paris', ccy: 'EUR', rate: 0.9 },
  { zone: 'Asia/Kolkata', ccy: 'INR', rate: 50 },
  { zone: 'Asia/Kuwait', ccy: 'KWD', rate: 0.3 },
  { zone: 'America/Phoenix', ccy: 'USD', rate: 1 },
] as const

const everything = 'YOGA HIIT STRENGTH SPIN MOBILITY'

export const offers = [
  { label: 'Unlimited', fee: 129, per: '4WK', covers: everything, entries: null },
  { label: 'Yoga & Mobility, weekly', fee: 24.5, per: 'WK', covers: 'YOGA MOBILITY', entries: null },
  { label: 'Força <strength> only', fee: 89.95, per: '4WK', covers: 'STRENGTH', entries: null },
  { label: 'Founders’ year', fee: 1250, per: '52WK', covers: everything, entries: null },
  { label: 'اشتراك مفتوح', fee: 119, per: '4WK', covers: everything, entries: null },
  { label: '10 visits', fee: 160, per: 'ONCE', covers: everything, entries: 10 },
  { label: 'Schnupperstunde — drop-in', fee: 18, per: 'ONCE', covers: everything, entries: 1 },
  {
    label: `Introductory course for people who come back after a long break: ${'take it slowly, '.repeat(8)}and enjoy it`,
    fee: 95,
    per: 'ONCE',
    covers: 'YOGA MOBILITY STRENGTH',
    entries: 6,
  },
] as const

/** Held every so many days, counted from the reset: `phase` is the first one on or after it. Every third of `packed` is full. */
export const series = [
  {
    title: 'Sunrise Yoga',
    topic: 'YOGA',
    coach: 'Efua Sarpong',
    at: 390,
    every: 1,
    phase: 0,
    places: 14,
    packed: false,
  },
  { title: 'HIIT 45', topic: 'HIIT', coach: 'Zoë Núñez', at: 735, every: 1, phase: 0, places: 8, packed: true },
  {
    title: 'Força & Core',
    topic: 'STRENGTH',
    coach: 'João Conceição',
    at: 1110,
    every: 2,
    phase: 1,
    places: 12,
    packed: false,
  },
  {
    title: 'Pilates débutants',
    topic: 'YOGA',
    coach: 'Chloé Lefèvre',
    at: 1020,
    every: 2,
    phase: 0,
    places: 10,
    packed: true,
  },
  {
    title: 'يوغا المساء',
    topic: 'YOGA',
    coach: 'ليلى الصباح',
    at: 1200,
    every: 3,
    phase: 1,
    places: 12,
    packed: false,
  },
  {
    title: 'Spin — «Full Gas» <live>',
    topic: 'SPIN',
    coach: 'Łukasz Żak',
    at: 465,
    every: 2,
    phase: 1,
    places: 16,
    packed: false,
  },
  {
    title: `Workshop: ${'breath, balance, hips, shoulders, feet and what holds them together, '.repeat(2)}for everybody`,
    topic: 'MOBILITY',
    coach: '',
    at: 870,
    every: 7,
    phase: 3,
    places: 20,
    packed: false,
  },
  {
    title: 'Night Mobility',
    topic: 'MOBILITY',
    coach: 'Åsa Öberg',
    at: 1410,
    every: 7,
    phase: 5,
    places: 10,
    packed: false,
  },
  {
    title: 'New Moon Stretch',
    topic: 'MOBILITY',
    coach: 'שרה כהן',
    at: 15,
    every: 14,
    phase: 6,
    places: 10,
    packed: false,
  },
] as const

export const firstNames = [
  'José',
  'Anna',
  'Kwame',
  'Łukasz',
  'Åsa',
  'Abena',
  'Chloé',
  'Nguyễn',
  'Siobhán',
  'Emma',
  'Kofi',
  'Özge',
  'Mia',
] as const

export const lastNames = [
  'Núñez',
  'Müller',
  'O’Connor',
  'Owusu',
  'Smith-Jones',
  'Żeromska',
  'da Conceição',
  'Şahin',
  'Adjei',
  'Lee',
  'García Márquez',
  'Öberg',
] as const

/** Every so often somebody from elsewhere. */
export const wholeNames = [
  'محمد العلوي',
  'שרה כהן',
  '山田 花子',
  'Ελένη Παππά',
  'Robert <Bob> "Tables" & Sons',
  'María de los Ángeles Fernández-Villaverde y Sánchez de Toca, Marquesa viuda de las Torres',
] as const
