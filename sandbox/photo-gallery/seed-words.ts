/** What seeds are made of: names and texts as they come in from several countries, awkward ones included. */

/** By `ordinal`: the first is that of the demo studio, whose clocks show UTC all year. */
export const homes = [
  { zone: 'Atlantic/Reykjavik', money: 'EUR' },
  { zone: 'America/Sao_Paulo', money: 'BRL' },
  { zone: 'Europe/Warsaw', money: 'PLN' },
  { zone: 'Asia/Tokyo', money: 'JPY' },
  { zone: 'America/New_York', money: 'USD' },
  { zone: 'Asia/Jerusalem', money: 'ILS' },
  { zone: 'Pacific/Auckland', money: 'NZD' },
] as const

/** Where people are photographed away from the studio. */
export const places = [
  { place: 'Þingvellir', zone: 'Atlantic/Reykjavik' },
  { place: 'Jardim Botânico, Lisboa', zone: 'Europe/Lisbon' },
  { place: 'Château de Chillon', zone: 'Europe/Zurich' },
  { place: 'יפו העתיקה', zone: 'Asia/Jerusalem' },
  { place: 'Kathmandu — Patan', zone: 'Asia/Kathmandu' },
  { place: 'Brooklyn Bridge, "DUMBO" side', zone: 'America/New_York' },
  { place: 'Mission Bay, Auckland', zone: 'Pacific/Auckland' },
] as const

export const firstNames = [
  'José',
  'Anna',
  'Zoë',
  'Łukasz',
  'Åsa',
  'Björk',
  'Chloé',
  'Nguyễn',
  'Siobhán',
  'Emma',
  'Liam',
  'Özge',
  'Dvořák',
  'Mia',
] as const

export const lastNames = [
  'Núñez',
  'Müller',
  'O’Connor',
  'Guðmundsdóttir',
  'Smith-Jones',
  'Żeromska',
  'da Conceição',
  'Şahin',
  'Petrov',
  'Lee',
  'Brown',
  'García Márquez',
  'Öberg',
] as const

/** Every so often somebody from elsewhere. */
export const wholeNames = [
  'محمد العلوي',
  'שרה כהן',
  '山田 花子',
  'Đặng Thị Hà',
  'Ελένη Παππά',
  'Robert <Bob> "Tables" & Sons',
  'María de los Ángeles Fernández-Villaverde y Sánchez de Toca, Marquesa viuda de las Torres',
] as const

export const kinds = ['Wedding', 'Engagement', 'Newborn', 'Family', 'Portrait', 'Branding', 'Maternity'] as const

export const titles = [
  'Wedding of',
  'Hochzeit',
  'Casamento de',
  'Family day:',
  'Newborn —',
  'Les fiançailles de',
  'Portraits <b>& more</b>:',
  'حفل زفاف',
  'בת המצווה של',
] as const

export const remarks = [
  'This one for the album cover, please!',
  'Könnten Sie hier den Hintergrund etwas aufhellen?',
  'رائعة! أريد نسخة كبيرة',
  'הכי יפה בעולם',
  'Preto e branco, por favor.\nE um pouco mais de contraste.',
  'Crop <left> & remove "exit" sign?',
  '❤️❤️❤️',
  'Grand format 60×90 — papier mat',
] as const

export const longRemark =
  'Could you make the sky a little warmer, straighten the horizon, and take the parking sign out? '
    .repeat(11)
    .slice(0, 1000)

export const notes = [
  '',
  'It was a pleasure. Enjoy!',
  'Viel Freude mit den Bildern, liebe Grüße',
  'تفضلوا صوركم',
] as const

export const goods = [
  { label: 'Wedding, full day', cents: 240_000 },
  { label: 'Zweitfotograf', cents: 60_000 },
  { label: 'Portrait session', cents: 18_500 },
  { label: 'Álbum 30×30, couro', cents: 32_990 },
  { label: 'Print 60×90, matt', cents: 8_905 },
  { label: 'ألبوم صور فاخر', cents: 45_000 },
  { label: 'Travel', cents: 4_250 },
] as const
