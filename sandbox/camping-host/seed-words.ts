/** What seeds are made of: places, names and texts as they come in from several countries, awkward ones included. */

/** By `ordinal`: where a host lives and is paid. The clocks of the first one show UTC all year. */
export const homes = [
  { zone: 'Atlantic/Reykjavik', cur: 'EUR', other: 'ISK' },
  { zone: 'Asia/Tokyo', cur: 'JPY', other: 'USD' },
  { zone: 'America/Denver', cur: 'USD', other: 'CAD' },
  { zone: 'Africa/Tunis', cur: 'TND', other: 'EUR' },
  { zone: 'Pacific/Auckland', cur: 'NZD', other: 'AUD' },
  { zone: 'America/St_Johns', cur: 'CAD', other: 'USD' },
] as const

/** `units` is what a night costs; `pitches` how many there are. */
export const lands = [
  { title: 'Tjaldsvæðið við Ána', state: 'LIVE', units: 24.5, pitches: 5 },
  { title: 'Camping de l’Étang Bleu', state: 'LIVE', units: 31, pitches: 4 },
  { title: 'מחנה עין המדבר', state: 'LIVE', units: 42.75, pitches: 3 },
  { title: 'مخيم الواحة', state: 'LIVE', units: 38.2, pitches: 3 },
  { title: 'Birch & “Bramble” <no cars>', state: 'LIVE', units: 55, pitches: 4 },
  {
    title: 'The far meadow: a long walk in, no road, one spring, two hammocks, three sheep and all of the stars '
      .repeat(2)
      .trim(),
    state: 'LIVE',
    units: 19.9,
    pitches: 2,
  },
  { title: 'Łąka nad Bugiem', state: 'PAUSED', units: 27.4, pitches: 2 },
  { title: '星空キャンプ場', state: 'DRAFT', units: 61, pitches: 2 },
] as const

export const labels = ['Tent pitch Á', 'Yurt', 'Camper stand 3', 'Сосны', 'Safari tent “Ölmo”', '小屋'] as const

/** First and last name; some go by one name. */
export const names = [
  ['Zoë', 'Martin'],
  ['José', 'Núñez'],
  ['Łukasz', 'Żak'],
  ['محمد', 'العلوي'],
  ['Siobhán', 'O’Connor'],
  ['שרה', 'כהן'],
  ['Åsa', 'Öberg'],
  ['陽子', '山田'],
  ['Emma', 'Lee'],
  ['Özge', 'Şahin'],
  ['Prince', ''],
  ['Nguyễn', 'Đặng'],
  ['María de los Ángeles', 'Fernández-Villaverde'],
  ['Björk', 'Guðmundsdóttir'],
  ['<Bob>', 'Tables & Sons'],
] as const

export const hellos = [
  'Hi! Two adults, one toddler and a quiet dog.',
  '',
  'Wir kommen mit dem Rad und sind spät da, geht das?',
  'هل يوجد مكان للشواء؟',
  'האם יש מים חמים?',
  'Is there <shade> & a table?\nWe bring our own "everything".',
] as const

export const longHello =
  'We have been saving up for this trip for a year, and the children ask every day how many nights are left. '
    .repeat(14)
    .trim()

export const fromCamper = [
  'What time can we arrive?',
  'Peut-on faire un feu ?',
  'שלום, יש חשמל במקום?',
  'Merci, à bientôt !',
  'We left a blue kettle — did you find it?',
  'كم تبعد أقرب بحيرة؟',
  'Can we bring a second tent? 🏕️',
] as const

export const fromHost = [
  'Any time after three.',
  'Ja, gerne, die Schranke ist offen.',
  'Yes, firewood is in the shed.\nFive a bag.',
] as const

export const praise = [
  'Lovely spot, we slept to the sound of the river.',
  '',
  'Wunderschön, aber die Dusche war kalt.',
  'مكان رائع وهادئ',
  'מקום קסום, נחזור!',
  'Too far from the road for us & no "signal".',
  'The stars! The sheep! '.repeat(60).trim(),
] as const

export const replies = ['Thank you, come again!', 'Danke! Der Boiler ist repariert.', 'شكرا لكم'] as const
