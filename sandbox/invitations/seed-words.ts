/** What seeds are made of: names and texts as they come in from several countries, awkward ones included. */

export const firstNames = [
  'José',
  'Anna',
  'Zoë',
  'Łukasz',
  'Åsa',
  'Chloé',
  'Nguyễn',
  'Siobhán',
  'Emma',
  'Özge',
  'Mia',
  'Noah',
] as const

export const lastNames = [
  'Núñez',
  'Müller',
  'O’Connor',
  'Smith-Jones',
  'Żeromska',
  'da Conceição',
  'Şahin',
  'Lee',
  'García Márquez',
  'Öberg',
  'Brown',
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

export const headlines = [
  'Wedding of',
  'Hochzeit',
  'Festa de anos:',
  'Garden party <b>&</b> brunch with',
  'Les fiançailles de',
  'حفل زفاف',
  'בר המצווה של',
  'Housewarming at the place of',
  '60th birthday:',
] as const

export const venues = [
  'Quinta da Serra, Sintra',
  'Brooklyn Winery, 213 N 8th St',
  'יפו העתיקה, רחוב 3',
  '',
  'Patan Durbar, Kathmandu',
  'Boathouse, Mission Bay',
  'Café "Zur Linde", Hinterhof',
] as const

export const labelNames = ['Family', 'Work', 'Vegetarian', 'Ældre', 'חברים', 'Plus one'] as const

export const notes = [
  'Parking is behind the house.\nPlease ring twice.',
  'Bringt gute Laune mit, für alles andere ist gesorgt!',
  'نراكم قريبا إن شاء الله',
  'Could you tell us whether you eat fish & <shellfish>?',
] as const

export const longNote = 'Please read this to the end, because the way to the boathouse is not easy to find. '
  .repeat(25)
  .slice(0, 2000)
