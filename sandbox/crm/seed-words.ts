import type { Kind, Prompt } from './entities.ts'

/** What seeds are made of: names and texts as they come in from several countries, awkward ones included. */

export const firstNames = [
  'José Antonio',
  'Łucja',
  'Åsa',
  'محمد',
  'שרה',
  'Nguyễn Thị',
  'İpek',
  'Siobhán',
  'Zoé',
  '大文',
  'Jürgen',
  'Maria da',
  'Ólafur',
  'Aarav',
  'Chloë',
  'Ngozi',
  'Eun-ji',
  'Dmitri',
  'Ἀλέξανδρος',
  'Tāne',
] as const

export const lastNames = [
  'Núñez',
  'Wójcik',
  'Öberg',
  'العلوي',
  'כהן',
  'Hà',
  'Şahin',
  "O'Brien",
  'Lefèvre',
  '陈',
  'Groß',
  'Conceição',
  'Þórsson',
  'Mehta',
  '<b>Bold</b> & Sons',
  'Okonkwo-Smythe',
  'Kim',
  'Ødegård',
  'Papadópoulos',
  'Ngata',
] as const

export const headlines = [
  'Wedding of {name}',
  'Casamento na Quinta da Ribeira',
  '{name}: family session',
  'Hochzeit im Schloss, Süd-Terrasse',
  'חתונה בחוף תל ברוך',
  'حفل زفاف في المدينة القديمة',
  'Brand film for {name} & friends',
  'Boudoir <private>',
  'Séance d’engagement à Montréal',
  'Newborn "Matilda"',
  '卒業写真',
  'Corporate headshots, 40 people',
  'Elopement 💍 in the hills',
] as const

export const places = [
  { zone: 'Europe/Lisbon', currency: 'EUR' },
  { zone: 'Europe/Paris', currency: 'EUR' },
  { zone: 'America/New_York', currency: 'USD' },
  { zone: 'Asia/Tokyo', currency: 'JPY' },
  { zone: 'Asia/Kuwait', currency: 'KWD' },
  { zone: 'Pacific/Auckland', currency: 'NZD' },
  { zone: 'America/St_Johns', currency: 'CAD' },
  { zone: 'Asia/Kolkata', currency: 'INR' },
] as const

export const labels = [
  'vip',
  'destination',
  'referral',
  'família',
  'drone',
  'second shooter',
  'עברית',
  'pays late',
  'été',
  'a/b & c',
] as const

export const memos = [
  '',
  'Prefers calls after 17:00.',
  'Trauung um 14:30, Torte um 18:00.\nSchlüssel bei Fr. Groß.',
  'الأهل لا يتكلمون الإنجليزية، أحمد يترجم.',
  'Drone permit: applied, no answer yet. <check again>',
  'Demander la liste des groupes avant le 1er.',
] as const

/** As long as a memo may be. */
export const longMemo =
  'The aunt must not sit near the band; the light in the hall is green until six: très vert, muy verde. '
    .repeat(110)
    .slice(0, 10_000)

export const longReply = 'We met on a ferry in the rain, and it went on from there, slowly at first. '.repeat(60).trim()

export const answers = [
  'Yes',
  'No, thank you',
  'About 120 people',
  'Église Saint-Jean, 14 h',
  'بعد الظهر',
  'אחרי הצהריים',
  'Só a família',
  'Two dogs & a goat',
  'We would love "golden hour"',
  '夕方がいい',
  'Not sure yet <3',
] as const

export const choices = [
  ['Album', 'Prints'],
  ['Drone'],
  ['Album', 'Second shooter', 'Pré-wedding'],
  ['إطار خشبي'],
] as const

const ask = (...texts: string[]): Prompt[] => texts.map((text) => ({ text, type: 'TEXT' }))

const surveyPrompts: Prompt[] = [
  ...ask('How did you meet?', 'Where are you getting ready?', 'Wer gehört aufs Familienfoto?'),
  { text: 'What shall we add?', type: 'CHOICES' },
  { text: 'Which day suits you for a call?', type: 'DAY' },
  ...ask('Anything that we must not photograph?', 'هل هناك شيء آخر؟'),
]
const signed: Prompt[] = [
  ...ask('Full name as signature'),
  { text: 'Signed on', type: 'DAY' },
  ...ask('Address for the invoice'),
]
const picked: Prompt[] = [{ text: 'Which package do you take?', type: 'CHOICES' }, ...ask('Any wishes?')]
const intake: Prompt[] = [
  ...ask('What are you planning?', 'Where?'),
  { text: 'When?', type: 'DAY' },
  ...ask('How did you hear of us?'),
]

export const promptsOf: Record<Kind, Prompt[]> = {
  PROPOSAL: picked,
  CONTRACT: signed,
  SURVEY: surveyPrompts,
  RIDER: signed.slice(0, 2),
  INTAKE: intake,
}

export const blueprintNames: Record<Kind, readonly string[]> = {
  PROPOSAL: [
    'Wedding collections',
    'Proposta – sessão de família',
    'Corporate offer',
    'Elopement, small',
    'عرض أسعار',
    'Offer 2 (old) <do not use>',
  ],
  CONTRACT: ['Wedding contract', 'Contrato de serviços', 'Model release & contract', 'Vertrag (kurz)', 'חוזה צילום'],
  SURVEY: [
    'Wedding day questionnaire',
    'Questionnaire famille',
    'After the shoot: how was it?',
    'Timeline & people',
    'استبيان ما قبل الحفل',
    'Survey without questions',
  ],
  RIDER: ['Second shooter agreement', 'Zusatz: Drohne', 'Travel addendum', 'Aditamento de horas'],
  INTAKE: ['Contact form', 'Demande de devis', 'Landing page: elopements'],
}

export const packages = [
  { label: 'Half day', units: 900 },
  { label: 'Full day', units: 1800 },
  { label: 'Álbum 30×30', units: 420 },
  { label: 'Second shooter', units: 350 },
  { label: 'فيديو قصير', units: 640 },
  { label: 'Drone (½ h) & licence', units: 150 },
] as const

export const billLabels = [
  'Reportage',
  'Déplacement',
  'Second shooter',
  'Prints 20×30',
  'Überstunden',
  'سفر وإقامة',
  'Retouching <per image>',
] as const

export const remarks = [
  '',
  'Cash at the venue',
  'Überweisung, Verwendungszweck fehlte',
  'Cheque no. 000451',
  'دفعة أولى',
] as const
