/** What seeds are made of: names and texts as they come in from several countries, awkward ones included. */

export const places = [
  { city: 'Lisboa', zone: 'Europe/Lisbon', currency: 'EUR', area: 'Graça' },
  { city: 'Madrid', zone: 'Europe/Madrid', currency: 'EUR', area: 'Chamberí' },
  { city: 'Las Palmas', zone: 'Atlantic/Canary', currency: 'EUR', area: 'Las Canteras' },
  { city: 'London', zone: 'Europe/London', currency: 'GBP', area: 'Walthamstow' },
  { city: 'Kraków', zone: 'Europe/Warsaw', currency: 'PLN', area: 'Zabłocie' },
  { city: 'Zürich', zone: 'Europe/Zurich', currency: 'CHF', area: 'Wiedikon' },
  { city: 'طنجة', zone: 'Africa/Casablanca', currency: 'MAD', area: 'القصبة' },
  { city: 'İstanbul', zone: 'Europe/Istanbul', currency: 'TRY', area: 'Beşiktaş' },
] as const

export const homes = [
  'Bright flat with balcony',
  'Ático com terraço e vista de rio',
  'Maisonette près du marché',
  'Piso reformado junto al metro',
  'Kawalerka z widokiem na park',
  'Ruhige Altbauwohnung, Süd-West',
  'شقة مضيئة قرب البحر',
  'Bahçeli müstakil ev',
  'Semi-detached house, "quiet" & near schools',
  'Loft <open plan>',
] as const

export const perks = [
  'lift',
  'balcony',
  'terraço',
  'garage',
  'air conditioning',
  'Fußbodenheizung',
  'piscina',
  'storage room',
  'sea view',
  'مسبح',
  'pets welcome',
  'wheelchair access',
  'fibre internet',
  'furnished',
] as const

export const names = [
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
] as const

export const asked = [
  'Hello, is this still available? I could come on Saturday morning.',
  'Bonjour, les charges sont-elles comprises ?',
  'Dzień dobry, czy możliwe jest oglądanie w środę po 18:00?',
  'مرحبا، هل السعر قابل للتفاوض؟',
  'שלום, האם יש חניה?',
  'Boa tarde, aceitam animais?\nTemos um cão pequeno.',
  'Ist die Wohnung ab dem nächsten Ersten frei?',
  'Merhaba, aidat ne kadar?',
  'How far is it to the next underground station, and is there a lift?',
  'Could you send me the floor plan & the energy certificate, please?',
] as const

export const answered = [
  'Yes, it is. Saturday at 10:30 works for us.',
  'Oui, sauf le chauffage.',
  'Tak, zapraszamy o 18:30.',
  'نعم، يمكننا التحدث عن السعر.',
  'Sim, animais são bem-vindos.',
  'Ja, ab dem Ersten. Die Kaution beträgt drei Mieten.',
  'Seven minutes on foot, and yes, there is a lift.',
  'I have attached nothing yet, but will send it tomorrow.',
] as const

export const noted = [
  'Prefers phone calls after 17:00.',
  'Bank has confirmed the loan.',
  'Besichtigung am Samstag, Schlüssel bei Fr. Groß.',
  'لا يتصل قبل العاشرة صباحا.',
  'Same person as in the enquiry of last month?',
] as const

const sentence =
  'The rooms look to the south, the street is quiet, and the market is five minutes away: très agréable, muy luminoso. '

/** As long as an ad's text may be. */
export const longBlurb = sentence.repeat(60).slice(0, 5000)

export const longQuestion =
  `${'I have a number of questions about the building, its heating and its neighbours. '.repeat(24)}Thank you!`.slice(
    0,
    2000,
  )
