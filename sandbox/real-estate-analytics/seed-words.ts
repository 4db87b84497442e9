/** What seeds are made of, awkward names and texts included. Cities lie in miles on one flat map. */
export const cities: readonly (readonly [string, string, number, number, readonly [string, string, string]])[] = [
  ['Austin', 'TX', 0, 0, ['Hyde Park', 'Zilker', 'Downtown']],
  ['Round Rock', 'TX', 3, 17, ['Old Town', 'Teravista', 'Brushy Creek']],
  ['Dallas', 'TX', 60, 180, ['Oak Cliff', 'Deep Ellum', 'Downtown']],
  ['San José', 'CA', -1450, 480, ['Willow Glen', 'Japantown (日本町)', 'Alum Rock']],
  ['La Cañada Flintridge', 'CA', -1200, 300, ['Descanso', 'Paradise Valley', 'Foothill']],
  ['Española', 'NM', -520, 390, ['Valle Vista', 'Santa Cruz de la Cañada', 'El Llano']],
  ['Cañon City', 'CO', -440, 570, ['Four Mile', 'Brookside', 'Lincoln Park']],
  ['Springfield', 'IL', 480, 660, ['Enos Park', 'Westchester', 'Downtown']],
  ['Springfield', 'MO', 260, 480, ['Rountree', 'Galloway', 'Phelps Grove']],
  ['Nashville', 'TN', 620, 450, ['East Nashville', 'Germantown', 'The Gulch']],
  ['Miami', 'FL', 1080, -230, ['La Pequeña Habana', 'Wynwood', 'Brickell']],
  ['Dearborn', 'MI', 800, 870, ['Warren Avenue (شارع وارن)', 'Aviation', 'Fort Dearborn Manor']],
  ['Scottsdale', 'AZ', -820, 230, ['Old Town', 'McCormick Ranch', 'Grayhawk']],
  ['Savannah', 'GA', 980, 150, ['Starland', 'Ardsley Park', 'Isle of Hope']],
  ['New Orleans', 'LA', 440, -20, ['Tremé', 'Faubourg Marigny', 'Bywater']],
  ['Coeur d’Alene', 'ID', -1150, 1250, ['Fort Grounds', 'Sanders Beach', 'Dalton Gardens']],
]

export const streets = [
  'Elm St',
  'Old Mill Rd',
  'Avenida Cañón',
  'St. Ann’s Ct',
  'N 7th Ave, Unit 4B',
  'Rue Dauphine #3',
  'Oak & Ivy Ln',
  'Calle de los Álamos',
  'O’Neal Blvd',
  'Michigan Ave (شارع ميشيغان)',
  'Loop 360 <rear>',
  'Müller Pl',
] as const

/** Not more than 200 characters with a city behind it. */
export const longStreet = `1 ${'Upper Lower Old New Saint Bartholomew-in-the-Meadow '.repeat(3)}Boulevard`

export const memos = [
  '',
  'Roof is new; ask about the HOA fee.',
  'À revoir avec Zoë — la cuisine est à refaire',
  'בית יפה, אבל יקר מדי',
  'صاحبه مستعجل على البيع',
  'Two doors down from "Café Olé" <loud at night> & next to the park',
  '',
] as const

export const longMemo = 'Walk the block at night, count the short-term rentals, call the city about permits. '
  .repeat(12)
  .slice(0, 1000)

export const presetTitles = [
  'Everything',
  'Starter homes under 300k',
  'Three bedrooms and up',
  'Condos near cafés',
  'Été: grandes maisons',
  'דירות להשקעה',
  'منازل بعائد مرتفع',
  'Townhouses "walkable" <2 mi',
  'Multi-family, two baths',
  'Manufactured & cheap',
  'Positive cash-on-cash',
  'Unicorns (nothing yet)',
  'Middle of the road',
  `Long list: ${'everything that my partner and I ever talked about '.repeat(3)}`.slice(0, 120),
] as const
