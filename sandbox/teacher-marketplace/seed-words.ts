/** What seeds are made of: names and texts as they come in from several countries, awkward ones included. */

/** By `ordinal`: the first is that of the demo shop, whose clocks are never changed. */
export const zones = [
  'America/Phoenix',
  'America/St_Johns',
  'Europe/London',
  'Asia/Kolkata',
  'Asia/Jerusalem',
  'Australia/Sydney',
  'America/New_York',
] as const

const longName = 'Everything for a whole year: warm-ups, exit tickets, stations, games & quizzes. '
  .repeat(2)
  .slice(0, 120)

/** Every so often a name that is unlike the others; one is as long as names may be. */
export const wholeNames = [
  'ورقة عمل: الحروف العربية',
  'דפי עבודה בחשבון — כיתה ב׳',
  '¡Las fracciones! Juego de mesa',
  'Robert <Bob> "Tables" & Sons: multiplication',
  'L’été: fiches de vocabulaire',
  'Pi',
  longName,
  '分数のかるた',
] as const

export const themes = [
  'Fractions',
  'Phonics',
  'Éclipses',
  'Place Value',
  'Civil War',
  'Plate Tectonics',
  'Poetry',
  'Algebra 1',
]
export const makes = ['Task Cards', 'Escape Room', 'Worksheets', 'Word Wall', 'Unit', 'Exit Tickets', 'Color by Number']
export const drawers = ['', 'Math Centers', 'Back to School', 'Für Français & ESL', 'ספריית כיתה'] as const
export const labels = [
  'no prep',
  'printable',
  'spiral review',
  'très facile',
  'בלי הכנה',
  'جاهز للطباعة',
  'end of year',
  'sub plans',
]

export const abouts = [
  '',
  'Ready to print. Answer key included.',
  'Includes:\n• 24 cards\n• recording sheet\n• key <em>in color</em> & black',
  'للصفوف الأولى — جاهز للطباعة',
  'Idéal pour la rentrée : 12 fiches, corrigé compris.',
] as const
export const longAbout = 'A complete unit with slides, guided notes, homework and two versions of the test. '
  .repeat(130)
  .slice(0, 10_000)

export const people = [
  'Ms. Alvarez',
  'Zoë Ångström',
  'مريم الخطيب',
  'נועה כהן',
  'Mr. O’Neill',
  'Thị Hà Đặng',
  '',
  'K. Smith-Jones & class',
] as const

export const questions = [
  'Does this work for 4th grade too?',
  'Is there a version in Spanish? ¿Hay una versión en español?',
  'هل يوجد مفتاح للإجابات؟',
  'Can I print it in A4 <not letter>?',
  'Page 7 seems to miss the answer to number 3.',
  'האם אפשר לערוך את הקובץ?',
] as const
export const longQuestion = 'I teach three groups at once, and I wonder how the stations are to be arranged. '
  .repeat(26)
  .slice(0, 2000)

export const replies = [
  'Yes, it does!',
  'نعم، في الصفحة الأخيرة',
  'I have just corrected it, thank you.\nPlease get the new file.',
  'כן, בהחלט',
] as const

export const notes = [
  'Everything is 20% off this weekend!',
  'Nouveau : le pack de la rentrée est là.',
  'مرحباً! ملف جديد مجاني هذا الأسبوع',
  'Free sample inside my newest unit.\nEnjoy <3',
] as const

export const searchWords = [
  ...[
    'fractions task cards',
    'phonics games',
    'exit tickets',
    'escape room math',
    'place value',
    'poetry unit',
    'civil war',
  ],
  ...[
    'worksheets 3rd grade',
    'été vocabulaire',
    'fracciones',
    'حروف',
    'דפי עבודה',
    'algebra 1 review',
    'color by number',
  ],
  ...['sub plans', 'no prep "centers"', 'word wall', 'plate tectonics', 'back to school', 'end of year <party>'],
] as const
