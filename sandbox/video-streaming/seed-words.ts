/** What seeds are made of: names and texts as they come in from several countries, awkward ones included. */

/** By `ordinal`. */
export const homes = [
  { zone: 'America/St_Johns', currency: 'CAD' },
  { zone: 'Asia/Kathmandu', currency: 'USD' },
  { zone: 'Europe/Lisbon', currency: 'EUR' },
  { zone: 'Australia/Adelaide', currency: 'AUD' },
  { zone: 'America/Sao_Paulo', currency: 'BRL' },
  { zone: 'Asia/Jerusalem', currency: 'ILS' },
  { zone: 'UTC', currency: 'GBP' },
] as const

/** Where shows are staged away from home. */
export const stages = ['Europe/Berlin', 'Asia/Tokyo', 'America/Los_Angeles', 'Asia/Kolkata', 'Pacific/Chatham'] as const

export const shelfLabels = [
  'Yoga',
  'Pilates & <stretch>',
  'Cuisine végétarienne',
  'Atem und Stille',
  'أطفال',
  'Guitar for beginners',
  'Bewegung für Ältere',
  'Interviews',
  'Nachtprogramm',
] as const

export const subjects = [
  'Morning flow',
  'Sonnengruß',
  'Récital à domicile',
  'Kochen mit Zoë',
  'تمارين التنفس',
  'שיעור גיטרה',
  'Café con José:',
  'Strength <b>& more</b>',
  'Łagodna joga',
  'Deep dive —',
  '瞑想入門',
] as const

export const turns = [
  'for beginners',
  'in 20 Minuten',
  'avec Chloé',
  'with "Big" Ben & friends',
  'الجزء الثاني',
  'למתקדמים',
  '#7',
  'São Paulo',
] as const

export const longHeading = 'A very long evening of songs, stories and slow cooking, '.repeat(4).slice(0, 200)

export const blurbs = [
  '',
  'Bring a mat and a glass of water.',
  'Für alle, die wenig Zeit haben.\nKeine Vorkenntnisse nötig.',
  'درس هادئ قبل النوم',
  'Tout ce qu’il faut : une guitare, un carnet, <rien> d’autre.',
  'מתאים לכל הרמות',
] as const

export const longBlurb = 'We take it slowly, we take it apart, and then we put it together again. '
  .repeat(80)
  .slice(0, 5000)

export const labels = ['calm', 'été', 'Übung', 'مبتدئ', '20 min', 'no props', 'live take', 'קיץ', 'R&B'] as const

export const captions = ['Part one', 'Zweiter Teil', 'الفصل الثالث', 'Bonus & extras', 'À suivre'] as const

export const handles = [
  'general',
  'announcements',
  'introduce-yourself',
  'kitchen_talk',
  'founders-circle',
  'beta_testers',
  'gear-and-guitars',
  'night-owls',
  'staff_only',
  'questions',
  'deutsch',
] as const

export const posts = [
  'Good morning everybody! New clips are on the shelf.',
  'Wer war gestern live dabei? 🎸',
  'ما رأيكم في الدرس الجديد؟',
  'Quelqu’un a la recette de la semaine ?',
  'מי מגיע ביום חמישי?',
  'Poll: <b>mornings</b> or "evenings"?',
] as const

export const longPost = 'Thank you for a wonderful season, and here is everything that we learned. '
  .repeat(70)
  .slice(0, 5000)

export const members = [
  'José Núñez',
  'Zoë Müller',
  'محمد العلوي',
  'Siobhán O’Connor',
  'שרה כהן',
  'Łukasz Żak',
  'Emma Brown',
  '山田 花子',
  'Robert <Bob> "Tables" & Sons',
  'Đặng Thị Hà',
] as const
