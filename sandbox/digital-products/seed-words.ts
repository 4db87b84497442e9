/** What seeds are made of: names and texts as they come in from several countries, awkward ones included. */

/** By `ordinal`; the first is that of the demo shop. */
export const homes = [
  { cur: 'EUR', fetchLimit: 5 },
  { cur: 'PLN', fetchLimit: 3 },
  { cur: 'USD', fetchLimit: 4 },
  { cur: 'ILS', fetchLimit: 5 },
  { cur: 'GBP', fetchLimit: 3 },
  { cur: 'BRL', fetchLimit: 6 },
  { cur: 'JPY', fetchLimit: 5 },
] as const

export const shelfLabels = ['Start here', 'For the studio', 'كتب ودفاتر', 'Été <indigo>', 'Archive (empty)'] as const

/** Label, sort, price in cents. Every second one is a file. */
export const goods = [
  ['Watercolour brushes for Procreate', 'file', 1200],
  ['Colour theory in six weeks', 'course', 14_900],
  ['Café menu templates', 'file', 1900],
  ['Lumière club', 'club', 900],
  ['Printable planner', 'file', 499],
  ['Linen notebook', 'parcel', 2450],
  ['خط عربي: أقلام رقمية', 'file', 2200],
  ['Portfolio review, 45 minutes', 'coaching', 8000],
  ['Lightroom presets “Nórdico”', 'file', 3500],
  ['Illustrieren für Anfänger', 'course', 9900],
  ['Zine <b>No. 1</b> & extras', 'file', 0],
  ['Pattern letter', 'club', 1500],
  ['Fonts: Żuraw Sans', 'file', 4900],
  ['Risograph print A3', 'parcel', 3800],
  ['ספר צביעה', 'file', 750],
  ['Ask me anything', 'coaching', 4500],
  ['Wedding invitation set', 'file', 2900],
  ['L’aquarelle, pas à pas', 'course', 12_000],
  ['Sound pack: Forêt', 'file', 1650],
  ['Members’ atelier', 'club', 2900],
  ['Tax sheet for freelancers', 'file', 1199],
  ['Enamel pin “Ñ”', 'parcel', 990],
  ['3D models: little houses', 'file', 6900],
  ['Price your work: coaching for four', 'coaching', 24_000],
] as const

export const editions = ['', ' — Vol. 2', ' (Pro)'] as const

export const longLabel = 'The complete, unabridged and lovingly illustrated guide to everything '
  .repeat(3)
  .slice(0, 200)

export const pitches = [
  '',
  'Download, unpack, and start.',
  '40 brushes, a colour chart and a short film.\n\nWorks with "Procreate" 5 & later <really>.',
  'تحميل فوري بعد الدفع.',
  'Für alle, die schon lange anfangen wollten — ça vaut le coup.',
] as const

export const longPitch =
  'Everything that I wish somebody had told me when I began, in the order in which I needed it. '.repeat(80)

export const mails = [
  'jose.nunez',
  'zoe.muller',
  'anna+shop',
  'lukasz.zeromski',
  'siobhan.oconnor',
  'm.alaoui',
  'shira.cohen',
  'Nguyen.Thi.Hoa',
  'ozge_sahin',
  'bjork',
  'maria.de.los.angeles.fernandez-villaverde.y.sanchez.de.toca',
] as const

export const questions = [
  'Where did you hear of us?',
  'Which name goes on the licence?',
  'Est-ce un cadeau ?',
  'איך קוראים לך?',
] as const

export const answers = [
  '',
  'A friend told me — merci à Zoë!',
  'Atelier "Żuk" & Sons <studio>',
  'من إنستغرام',
  'Yes, please wrap it.',
  'It is a long story, and it begins with my grandmother’s paint box. '.repeat(14),
] as const

export const remarks = [
  'Asked for an invoice; sent by hand.',
  'اتصلت هاتفياً وشكرتنا',
  'Très gentille — lui offrir le tome 2.\nBirthday in June.',
  'Paid twice by mistake? <check>',
] as const

export const partners = ['Pixel Pilgrim', 'Blog “Crème”', 'محمد العلوي'] as const

export const plans = ['Monthly', 'Yearly', 'Founders’ circle'] as const
