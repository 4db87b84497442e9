/** Where branches are; `rate` is what a unit of price costs there. The main branch of the first accounts has no summer time. */
export const homes = [
  {
    label: 'Jardins',
    street: 'Rua Oscar Freire 812, São Paulo',
    zone: 'America/Sao_Paulo',
    currency: 'BRL',
    rate: 5.5,
    tel: '+55 11 5550 0101',
  },
  {
    label: 'Westbourne',
    street: '14 Needham Rd, London',
    zone: 'Europe/London',
    currency: 'GBP',
    rate: 0.85,
    tel: '+44 20 7946 0102',
  },
  {
    label: 'ठमेल',
    street: 'J.P. Marg, Kathmandu',
    zone: 'Asia/Kathmandu',
    currency: 'NPR',
    rate: 145,
    tel: '+977 1 555 0103',
  },
  {
    label: 'Plateau-Mont-Royal',
    street: '4201, rue Saint-Denis, Montréal',
    zone: 'America/Toronto',
    currency: 'CAD',
    rate: 1.5,
    tel: null,
  },
  {
    label: 'السالمية',
    street: 'شارع سالم المبارك، الكويت',
    zone: 'Asia/Kuwait',
    currency: 'KWD',
    rate: 0.325,
    tel: '+965 5550 0105',
  },
  {
    label: '下北沢',
    street: '世田谷区北沢2-10-1',
    zone: 'Asia/Tokyo',
    currency: 'JPY',
    rate: 160,
    tel: '+81 3 5550 0106',
  },
  { label: 'Chiado', street: 'Rua Garrett 73, Lisboa', zone: 'Europe/Lisbon', currency: 'EUR', rate: 1, tel: null },
] as const

/** `by`: places in the branch's crew; nobody does the last of them. */
export const treatments = [
  { label: 'Cut & blow-dry', mins: 60, price: 45, by: [0, 1, 2, 3] },
  { label: 'Fringe trim', mins: 15, price: 12.5, by: [0, 1] },
  { label: 'Balayage', mins: 120, price: 149.9, by: [1, 2] },
  { label: 'Barbe à l’ancienne', mins: 30, price: 28, by: [0, 3] },
  { label: 'Gloss', mins: 45, price: 39.5, by: [0, 2, 3] },
  { label: 'تسريحة عروس', mins: 120, price: 210, by: [1, 3] },
  { label: 'Consultation', mins: 15, price: 0, by: [0, 1, 2, 3, 4] },
  { label: 'Scalp ritual “Água” — waiting for its therapist', mins: 90, price: 80, by: [] },
] as const

export const crewNames = [
  'Thaís Nóbrega',
  'Øyvind Skår',
  'ليلى منصور',
  'Aoife Ní Bhriain',
  'Marguerite-Éloïse de la Fontaine-Beauchêne',
  'Kenji Morikawa',
  'Zoë Brontë',
  'Sergiu Ționescu',
  'Nguyễn Thị Ánh',
  'Tova רוזן',
  'Mehmet Işık',
] as const

export const guestNames = [
  'Beatriz Araújo',
  'Søren Kjærgaard',
  'نور الهدى الفاسي',
  'Zoë O’Malley',
  'Łucja Wróbel',
  'יעל בן־דוד',
  'Ngọc Phạm',
  'Beatriz Araújo',
  'Maximiliana Wilhelmine Freifrau von und zu Hohenlohe-Langenburg-Weikersheim',
  '山田 花子',
  'İpek Çağlar',
  '<b>Bobby</b> "Tables" & Söhne',
] as const

export const firstNames = ['Ana', 'Élodie', 'Jürgen', 'Mwajuma', 'Oisín', 'Priya', 'Renée', 'Sławek', 'Tomás', 'Yūki']
export const lastNames = ['Bąk', 'Castañeda', 'Dvořák', 'Eriksen', 'Ferreira', 'Gülen', 'Hughes', 'Ionescu', 'Jansen']

export const guestLabels = ['VIP', 'Colour', 'Patch test due', 'عروس', 'Prefers silence', 'Mother & child', 'Étudiante']

export const remarks = [
  '',
  '',
  'First visit',
  'Allergic to ammonia',
  'Kommt mit Hund 🐕',
  'تفضل الهدوء',
  'Bring the lookbook',
]

export const asked = [
  'Is there anything free on Saturday?',
  'Obrigada pelo corte! Ficou lindo.',
  'هل لديكم موعد قبل العيد؟',
  'Can I bring my daughter along?',
  'Wie lange hält die Tönung?',
  'I am ten minutes late, sorry!',
]

export const replied = [
  'Of course, see you then.',
  'Com prazer!',
  'We will look and come back to you.',
  'نعم، بكل سرور',
]

export const opinions = [
  'Best cut in years.',
  'Sehr freundlich, aber zehn Minuten gewartet.',
  '',
  'خدمة ممتازة وفريق رائع',
  'The colour came out darker than we had agreed.',
  'Adorei! Volto sempre.',
  'אווירה נעימה מאוד',
]

export const longText = 'I have come here since the place opened, and every time something small surprises me. '
  .repeat(20)
  .trim()
