/** What seeds are made of: tours, names and texts as they come in from several countries, awkward ones included. */

/** By `ordinal`: where a provider keeps its books. */
export const homes = [
  { zone: 'Europe/Madrid', cur: 'EUR' },
  { zone: 'Asia/Tokyo', cur: 'JPY' },
  { zone: 'America/New_York', cur: 'USD' },
  { zone: 'Africa/Tunis', cur: 'TND' },
  { zone: 'Pacific/Auckland', cur: 'NZD' },
  { zone: 'America/Sao_Paulo', cur: 'BRL' },
] as const

/** The last but one is paused, the last is still with the editors and has no calendar. */
export const tours = [
  { title: 'Visita guiada por el Alcázar', town: 'Sevilla', zone: 'Europe/Madrid', units: 24.5 },
  { title: 'Tuk-tuk pela Alfama', town: 'Lisboa', zone: 'Europe/Lisbon', units: 38 },
  { title: 'جولة في المدينة القديمة', town: 'مراكش', zone: 'Africa/Casablanca', units: 19.9 },
  { title: 'סיור אוכל בשוק מחנה יהודה', town: 'ירושלים', zone: 'Asia/Jerusalem', units: 56 },
  { title: 'Brooklyn & “DUMBO” <by night>', town: 'New York', zone: 'America/New_York', units: 42.75 },
  { title: 'Norðurljós: northern lights by super jeep', town: 'Reykjavík', zone: 'Atlantic/Reykjavik', units: 149 },
  { title: '築地の朝', town: '東京', zone: 'Asia/Tokyo', units: 88 },
  { title: 'Patan, Bhaktapur and Swayambhunath', town: 'Kathmandu', zone: 'Asia/Kathmandu', units: 31.2 },
  { title: 'Volcanoes, bays and a swim', town: 'Auckland', zone: 'Pacific/Auckland', units: 115 },
  { title: 'Pão de Açúcar ao pôr do sol', town: 'Rio de Janeiro', zone: 'America/Sao_Paulo', units: 64.4 },
  { title: 'Château de Chillon à vélo', town: 'Montreux', zone: 'Europe/Zurich', units: 72 },
  {
    title: 'The long day: sunrise above the clouds, crater walk, lava caves, goat cheese with mojo, whales and stars '
      .repeat(2)
      .trim(),
    town: 'Tenerife',
    zone: 'Atlantic/Canary',
    units: 133,
  },
] as const

export const hours = [['09:30'], ['10:00', '16:00'], ['08:15', '12:45', '18:30'], ['20:00', '21:30']] as const

export const firstNames = [
  'José',
  'Zoë',
  'Łukasz',
  'Åsa',
  'Nguyễn',
  'Siobhán',
  'Emma',
  'Özge',
  'Inês',
  'Björk',
] as const

export const lastNames = [
  'Núñez',
  'O’Connor',
  'Guðmundsdóttir',
  'Smith-Jones',
  'Şahin',
  'Lee',
  'Öberg',
  'Král',
] as const

/** Every so often somebody from elsewhere. */
export const wholeNames = [
  'محمد العلوي',
  'שרה כהן',
  '山田 花子',
  'Ελένη Παππά',
  'Robert <Bob> "Tables" & Sons',
  'María de los Ángeles Fernández-Villaverde y Sánchez de Toca, Marquesa viuda de las Torres',
] as const

const longText = 'We come with two children, a pram, a grandmother who walks slowly and a dog of ten kilos. '.repeat(23)

export const questions = [
  'Where exactly do we meet?',
  'هل يمكن تغيير الموعد إلى المساء؟',
  'Können wir einen Kinderwagen mitbringen?\nUnd gibt es unterwegs Toiletten?',
  'האם יש אפשרות צמחונית?',
  '¿El guía habla catalán? Gràcies <3',
  longText.slice(0, 2000),
] as const

export const answers = ['At the fountain, ten minutes earlier.', 'Claro que sí.', 'نعم، بكل سرور.'] as const

export const officeWords = [
  'The traveller asks for an invoice with a tax number. Could you send it?',
  'Please confirm the accessible van & the extra guide.',
  'Recordatorio: sube el parte de la visita.',
] as const

export const opinions = [
  '',
  'Magnífico, lo mejor del viaje.',
  'الدليل رائع والوقت قصير',
  'מדריך מצוין!',
  'Too fast for us, and <b>no</b> shade & no water.',
  'とても楽しかったです。',
  longText.slice(0, 1500),
] as const
