/** One business per account, in turn: where it is, what it charges in. */
export const places = [
  {
    currency: 'EUR',
    exponent: 2,
    branches: [
      ['Chiado', 'Europe/Lisbon'],
      ['Alfama', 'Europe/Lisbon'],
      ['Töölö', 'Europe/Helsinki'],
      ['Fort-de-France', 'America/Martinique'],
    ],
  },
  {
    currency: 'TND',
    exponent: 3,
    branches: [
      ['La Marsa', 'Africa/Tunis'],
      ['حلق الوادي', 'Africa/Tunis'],
      ['Marseille', 'Europe/Paris'],
      ['Montréal', 'America/Toronto'],
    ],
  },
  {
    currency: 'JPY',
    exponent: 0,
    branches: [
      ['表参道', 'Asia/Tokyo'],
      ['Ginza', 'Asia/Tokyo'],
      ['Kathmandu', 'Asia/Kathmandu'],
      ['Honolulu', 'Pacific/Honolulu'],
    ],
  },
] as const

/** Section, name, minutes, price in whole units of EUR. */
export const menu = [
  ['Hair', 'Cut & finish', 45, 42.5],
  ['Hair', 'Fringe trim', 15, 0],
  ['Hair', 'Balayage', 150, 139],
  ['Hair', 'Root touch-up', 75, 58],
  ['Hair', 'Coupe homme', 30, 27],
  ['Hair', 'Curly cut (dry)', 60, 64.9],
  ['Hair', 'תסרוקת ערב', 60, 70],
  ['Hair', 'Children under 10', 30, 18],
  ['Nails', 'Manicure', 40, 25],
  ['Nails', 'Gel removal', 20, 9.95],
  ['Nails', 'Pédicure spa', 60, 45],
  ['Nails', 'حناء', 90, 80],
  ['Brows & lashes', 'Brow shaping', 20, 15],
  ['Brows & lashes', 'Lash lift <new>', 50, 49],
  ['Skin', 'Express facial', 30, 35],
  ['Skin', 'Signature facial', 75, 88],
  ['', 'Patch test', 10, 0],
  [
    'Bridal',
    'Bridal trial with consultation, hair and make-up rehearsal, veil fitting, photographs in daylight and in the evening, and a written plan of the day for the whole party',
    180,
    210,
  ],
  ['Off-site', 'Film set, on location', 2160, 1900],
] as const

export const team = [
  'Inês Falcão',
  'Bartłomiej Żuk',
  'Aino Mäkelä',
  'Jean-Noël Césaire',
  'ليلى بن عمار',
  'Zoë van den Berg',
  'Ebru Yılmaz',
  'יעל כהן',
  "Aoife O'Brien",
  'Off-site crew',
] as const

export const ownStates = ['Arrived', 'Patch test pending', 'بانتظار التأكيد'] as const

export const reasons = [
  'Guest is ill',
  'Guest asked for another day',
  'Stylist is ill',
  'Booked by mistake',
  'Salon closed',
] as const

export const firstNames = [
  'Ángela',
  'Zofia',
  'Émile',
  'Ödön',
  'Łucja',
  'Åsa',
  'Chloë',
  'Noah',
  'Ștefan',
  'Işıl',
  'Beatriz',
  'Dries',
  'Mary Ann',
  'Quentin',
  'Vida',
  'Xóchitl',
] as const

export const lastNames = [
  'García Muñoz',
  'Ørsted',
  'Nowak',
  'Kowalczyk',
  'D’Angelo',
  'Ünal',
  'Smith',
  'Çelik',
  'Németh',
  'Jansen',
  'Weiß',
  'Åkesson',
] as const

export const rtlNames = ['مريم الهاشمي', 'דוד לוי', 'سارة بن يوسف', 'נועה פרידמן', 'عبد الرحمن القيسي'] as const

export const allergies = ['PPD', 'latex', 'noix', 'nickel', 'פורמלדהיד', 'acrylates', 'fragrance'] as const

export const jottings = [
  'Colour 7.1 + 8.3, 20 vol, 35 minutes.',
  'Prefers silence & window seat.',
  'Préfère le thé à la menthe.',
  'Cowlick at the crown <b>careful</b>.',
  'الشعر حساس، استعملي الزيت.',
  'Late twice in spring; confirm by phone.',
] as const

export const longText =
  'Came with a history of home colour, and would like to go lighter over several visits without losing length. '
    .repeat(19)
    .slice(0, 2000)

export const remarks = ['First visit', 'Brings a friend', 'Será atendida por Inês, se possível', 'مع طفل', '']

export const pays = ['Card', 'Cash', 'Gift voucher', 'Bank transfer', 'MB WAY'] as const

/** Name, kind, percent. */
export const promos = [
  ['Primavera', 'Promotion', 20],
  ['Student', 'Promotion', 10],
  ['زبون وفي', 'Loyalty', 15],
  ['Friends & family', 'Manual', 50],
  ['Ten for nine', 'Package', 10],
] as const
