export const givenNames =
  'Inês Åsa Björn Chloé Dmitri Élodie Fatima Gökçe Hülya Ingrid José Kateřina Łukasz Máire Nikolai Öykü Priya Quentin Renée Søren Tomáš Uriel Violeta Wanjiru Ximena Yusuf Zoë'.split(
    ' ',
  )

export const familyNames = [
  'Almeida',
  'Bergström',
  'Çelik',
  'D’Angelo',
  'Eriksen',
  'Fitzgerald-Ó Briain',
  'García Núñez',
  'Hernández',
  'Ibáñez',
  'Jørgensen',
  'Kowalczyk',
  'Lefèvre',
  'Müller',
  'Nguyễn',
  'O’Connor',
  'Petrović',
  'Quiñones',
  'Szabó',
  'van der Berg',
  'Žižka',
]

/** Given and family names that are written otherwise. */
export const otherNames = [
  ['נועה', 'ברק'],
  ['فاطمة', 'الزهراء'],
  ['花子', '山田'],
  ['Ольга', 'Ковалёва'],
  ['<b>Bobby</b>', 'Tables & Sons'],
] as const

export const firms = [
  'Nordlicht AG',
  'Café Peña',
  '',
  'شركة النور',
  'Ó Briain & Daughters',
  'Łódź Robotics',
  'Kumo 雲',
  '',
]

export const themes = [
  'Cloud Harbour Summit',
  'Congreso de Diseño Ñandú',
  'Future of Rail',
  'כנס הנגב לאנרגיה',
  'Women in Quantum',
  'Salon des Métiers',
  'قمة المدن الذكية',
  'Baltic Food Days',
  'Open Data Forum',
  'Þingvellir Retreat',
  'Robotics & <Things>',
  'Harvest Symposium',
]

/** Their clocks never change. */
export const steadyZones = [
  'Asia/Kathmandu',
  'Africa/Lagos',
  'America/Bogota',
  'Asia/Tokyo',
  'America/Phoenix',
  'Asia/Kolkata',
]

export const zones = [
  'Europe/Lisbon',
  'America/New_York',
  'Asia/Jerusalem',
  'Pacific/Auckland',
  'America/St_Johns',
  ...steadyZones,
]

export const venues = [
  'Harbour Hall 3',
  'Palácio das Artes',
  '',
  'מרכז הקונגרסים',
  'Old Tannery, 2nd floor',
  'Nørrebro Folkehus',
]

export const streamLabels = ['Main stage', 'Workshops', 'Échanges', 'מסלול חדשנות', 'Tech', 'Community']

export const headings = [
  'Opening and welcome',
  'What we learned from 1,000 sensors',
  'Panel: money & mischief',
  'Atelier: façades végétales',
  'הדור הבא',
  'Fireside chat',
  'Lightning talks',
  'Closing round',
]

const longBlurb = 'We look back, look around and look ahead, slowly and with coffee. '.repeat(40).trim()
export const blurbs = ['', 'Bring a laptop.', 'Línea por línea: how it was built.\nQuestions at the end.', longBlurb]
