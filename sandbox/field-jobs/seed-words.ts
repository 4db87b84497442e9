/** What seeds are made of: names and texts as they come in from several countries, awkward ones included. */

/** By `ordinal`: the first is that of the demo company, whose clocks show UTC all year. */
export const homes = [
  { zone: 'Africa/Accra', money: 'GHS', digits: 2 },
  { zone: 'America/New_York', money: 'USD', digits: 2 },
  { zone: 'Asia/Tokyo', money: 'JPY', digits: 0 },
  { zone: 'Africa/Tunis', money: 'TND', digits: 3 },
  { zone: 'Asia/Kathmandu', money: 'NPR', digits: 2 },
  { zone: 'Asia/Jerusalem', money: 'ILS', digits: 2 },
  { zone: 'Pacific/Auckland', money: 'NZD', digits: 2 },
] as const

export const crewNames = [
  'Kwabena Ọ̀ṣọ́',
  'Łucja Żak',
  'יעל ברק',
  'Seán Ó Briain',
  'Nguyễn Thị Lệ',
  'Björn Håkansson',
  'خالد المنصوري',
  'Dolores "Lola" Ibáñez',
  'Priya Raghunathan',
] as const

export const firstNames = [
  'Esi',
  'Kofi',
  'Amélie',
  'Jörg',
  'Inès',
  'Siân',
  'Dvořka',
  'Adwoa',
  'Noé',
  'Ruth',
  'Ülle',
  'Tom',
] as const

export const lastNames = [
  'Ɔdamtten',
  'Mensah',
  'Groß',
  'Lefèvre',
  'O’Hara',
  'Novotný',
  'Castaño',
  'Åkerlund',
  'Smith-Łuczak',
  'Quaye',
  'Tamm',
] as const

/** Every so often somebody from elsewhere. */
export const wholeNames = [
  'ليلى بن يوسف',
  'אברהם שפירא',
  '佐藤 健一',
  'Ωραία Κουζίνα Ο.Ε.',
  'Bits <& "Bobs"> Ltd.',
  'Гостиница «Ёлка»',
  'Gemeinnützige Wohnungsbaugenossenschaft Rhein-Sieg-Kreis und Umgebung von 1899 eingetragene Genossenschaft, Siegburg',
] as const

export const sites = [
  'Oxford St 12, Accra',
  'Rue de l’Église 4 bis, Lomé',
  'Königstraße 7/2, Hinterhaus',
  'שדרות רוטשילד 3, תל אביב',
  'Flat 5 <rear>, 18 O’Connell Rd',
  'شارع الحرية ٢١، تونس',
  'Ring Road East 88, Unit #4',
  'São Bento 101, ap. 3',
] as const

export const kinds = [
  'Boiler service',
  'Leak repair',
  'Électricité — dépannage',
  'Gutter & roof',
  'Heizungswartung',
  'תיקון מזגן',
] as const

export const priceBook = [
  { label: 'Call-out', unit: 'visit', each: 6_500 },
  { label: 'Labour', unit: 'hour', each: 8_950 },
  { label: 'Kupferrohr 15 mm', unit: 'm', each: 1_129 },
  { label: 'Thermostat “Éco”', unit: 'piece', each: 12_499 },
  { label: 'גז קירור R32', unit: 'kg', each: 4_785 },
  { label: 'Gutter guard <2 m>', unit: 'piece', each: 2_333 },
  { label: 'Disposal', unit: 'load', each: 3_001 },
  { label: 'Courtesy check', unit: 'visit', each: 0 },
] as const

export const remarks = [
  '',
  '',
  'Key is with the neighbour.',
  'Bitte nicht klingeln, Baby schläft.\nHintereingang benutzen!',
  'الكلب ودود',
  'Dog <bites> & "barks"',
  'Second visit; bring the 15 mm pipe.',
] as const

export const longRemark =
  'The boiler is behind the third door on the left, mind the step; the stopcock is under the sink in the room after it. '
    .repeat(40)
    .slice(0, 4000)

export const origins = ['Website', 'Referral', 'Téléphone', 'Walk-in', 'Radio “Joy”'] as const

export const reasons = ['Holiday', 'Arzttermin', 'Training', 'חופש', ''] as const
