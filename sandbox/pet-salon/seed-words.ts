/** Zone, currency and the beginning of telephone numbers of an account, by its ordinal. The first knows no summer time. */
export const homes = [
  { zone: 'Atlantic/St_Helena', cur: 'GBP', dial: '+290' },
  { zone: 'America/New_York', cur: 'USD', dial: '+1 212' },
  { zone: 'Europe/Lisbon', cur: 'EUR', dial: '+351 21' },
  { zone: 'Asia/Jerusalem', cur: 'ILS', dial: '+972 2' },
  { zone: 'Pacific/Auckland', cur: 'NZD', dial: '+64 9' },
  { zone: 'Asia/Kolkata', cur: 'INR', dial: '+91 80' },
  { zone: 'America/St_Johns', cur: 'CAD', dial: '+1 709' },
] as const

export const staffNames = [
  'Amélie Lefèvre',
  'Tunde Bálint',
  'Søren Holm',
  'נועה ברק',
  'Priya Nair',
  'Old Joe Barker',
  'Zoë van der Meer',
  'ليلى حداد',
  'Max O’Hara',
] as const
/** Its place in `staffNames`: has left. */
export const left = 5

type PriceList = readonly (readonly [ttl: string, ctg: string, mins: number, pence: number])[]

export const petServices: PriceList = [
  ['Full Groom, Small Dog', 'Full Groom', 60, 4500],
  ['Full Groom, Medium Dog', 'Full Groom', 75, 5500],
  ['Full Groom, Large Dog', 'Full Groom', 75, 7250],
  ['Puppy’s First Groom', 'Full Groom', 45, 3500],
  ['Hand Stripping', 'Full Groom', 75, 6900],
  ['Bath & Brush, Small', 'Bath & Brush', 30, 2500],
  ['Bath & Brush, Large', 'Bath & Brush', 45, 3650],
  ['Flea Bath', 'Bath & Brush', 45, 3999],
  ['Oatmeal Bath', 'Bath & Brush', 40, 3150],
  ['Nail Trim', 'Nails & Ears', 15, 1000],
  ['Nail Grind', 'Nails & Ears', 20, 1450],
  ['Ear Cleaning', 'Nails & Ears', 10, 800],
  ['Pawdicure “Été”', 'Nails & Ears', 30, 2199],
  ['De-shedding', 'Extras', 30, 2000],
  ['Teeth Brushing', 'Extras', 10, 750],
  ['Dematting, 15 min', 'Extras', 15, 1250],
  ['Bandana & Bow', 'Extras', 5, 0],
  ['Lion Cut', 'Cats', 60, 6000],
  ['Cat Bath', 'Cats', 45, 4800],
  ['Claw Caps', 'Cats', 20, 2650],
]

export const hairServices: PriceList = [
  ['Cut & Blow-dry', 'Cut', 60, 5200],
  ['Dry Cut', 'Cut', 30, 3200],
  ['Fringe Trim', 'Cut', 10, 900],
  ['Beard Trim', 'Cut', 15, 1500],
  ['Root Touch-up', 'Colour', 75, 6400],
  ['Balayage', 'Colour', 75, 12_500],
  ['Toner', 'Colour', 30, 2800],
  ['Updo', 'Styling', 45, 5500],
  ['Braids', 'Styling', 60, 6000],
  ['Scalp Care', 'Care', 20, 2250],
]

export const firstNames = [
  'Ana',
  'Björn',
  'Chloë',
  'Dáithí',
  'Esther',
  'Fatima',
  'Grzegorz',
  'Hinemoa',
  'Ines',
  'Jürgen',
]
export const lastNames = ['Ångström', 'Brown', 'Çelik', 'Dvořák', 'Eze', 'Ferreira', 'García', 'Hughes', 'Ito']

/** Some clients' whole names, by place. */
export const wholeNames: Readonly<Record<number, string>> = {
  0: 'Martha Benjamin',
  1: 'Zoë Thomas',
  2: 'אבי כהן',
  3: 'Martha Benjamins',
  4: 'منى الصغير',
  5: 'Ó Súilleabháin, Máire & Seán',
  8: '山田 花子',
  11: 'Leo <b>Fowler</b>',
  13: `Countess Wilhelmina-Frederica ${'von und zu Langenscheidt-'.repeat(3)}Ende`,
}

export const petNames = [
  'Biscuit',
  'Señor Wuff',
  'Mørk',
  'שוקו',
  'Bär',
  'Tofu',
  'لولو',
  'Pixel',
  'Ñata',
  'Sir Barks-a-Lot',
  'Zelda',
]
export const breeds = [
  'Poodle',
  'Cockapoo',
  'Löwchen',
  'Labrador Retriever',
  'Mixed',
  'Domestic Shorthair',
  'Bichon Frisé',
  '',
]
export const products = [
  { ttl: 'Oatmeal Shampoo 250 ml', qty: 1, pence: 899 },
  { ttl: 'Chew “Déjà Chew”', qty: 3, pence: 250 },
  { ttl: 'Comb', qty: 2, pence: 1275 },
]
export const reasons = ['Client fell ill', 'Booked twice', 'Pet had no valid rabies vaccination', 'לקוח ביטל']
export const remarks = [
  '',
  'Short, please.',
  'Leave the tail!\nAnd the beard.',
  'كن لطيفا',
  '',
  'No perfume — “allergic”',
  '',
]
export const longText = 'Bites when the dryer comes near; sing to her. '.repeat(45).slice(0, 2000)
