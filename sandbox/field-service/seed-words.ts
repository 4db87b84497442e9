export const places = [
  { zone: 'Europe/Berlin', currency: 'EUR', land: 'Deutschland', prefix: '+49 30' },
  { zone: 'America/Sao_Paulo', currency: 'BRL', land: 'Brasil', prefix: '+55 11' },
  { zone: 'Europe/Istanbul', currency: 'TRY', land: 'Türkiye', prefix: '+90 212' },
  { zone: 'America/St_Johns', currency: 'CAD', land: 'Canada', prefix: '+1 709' },
  { zone: 'Asia/Kolkata', currency: 'INR', land: 'India', prefix: '+91 22' },
  { zone: 'Australia/Adelaide', currency: 'AUD', land: 'Australia', prefix: '+61 8' },
  { zone: 'Europe/Madrid', currency: 'EUR', land: 'España', prefix: '+34 91' },
] as const

export const services = [
  'Heizungswartung',
  'Boiler repair',
  'Drain cleaning',
  'Sanitärnotdienst',
  'Electrical inspection',
  'Gartenpflege',
  'Window & door fitting',
  'Dachrinne reinigen',
  'Air conditioning service',
  'Annual contract',
] as const

/** The last one does not work there any more. */
export const crew = [
  'Jürgen Weiß',
  'Amélie Brûlé',
  'Szymon Łęcki',
  'נועה ברק',
  'Chidi Okafor',
  'Ingrid Sjöberg',
  'Tariq Haddad',
  'Fatma Çelik',
  'Óscar Núñez',
  'Piet de Vries',
] as const

export const firstNames = (
  'Anna|Björn|Chloé|Dmitri|Eszter|François|Gülşen|Håkon|Inês|Jiří|' +
  'Katarzyna|Lluís|Māra|Nguyễn|Oisín|Priya|Renée|Søren|Tomás|Zoë'
).split('|')
export const lastNames = (
  'Müller|Øvergård|García|Nowak|Szabó|Lefèvre|Yıldız|O’Brien|Conceição|Dvořák|' +
  'Straße|Ferrer|Bērziņš|Trần|Byrne|Nair|Dubois|Kjær|Silva|van den Berg'
).split('|')
export const rtlNames = ['محمد الفاسي', 'רות כהן', 'فاطمة الزهراء', 'משה לוי', 'شركة النور للصيانة'] as const
export const companies = [
  'Bäckerei Kranich GmbH',
  'Hôtel du Lac',
  'Café Zürn & Söhne',
  'Nordlicht Hausverwaltung',
  'Smith & Sons Ltd',
  'Praxis Dr. Öztürk',
  'Clínica São Bento',
  '<b>Print</b> & Copy',
  'WEG Lindenallee 14–18',
  '日本食堂',
] as const
export const streets = [
  'Kastanienallee',
  'Rua das Flores',
  'High Street',
  'Straße des 17. Juni',
  'Calle Mayor',
  'Çiçek Sokağı',
  'Østergade',
  'Avenue de l’Église',
  'شارع الملك فيصل',
  'Rathausplatz',
] as const
export const towns = [
  'Berlin',
  'São Paulo',
  'İstanbul',
  'St. John’s',
  'Mumbai',
  'Adelaide',
  'Málaga',
  'Köln',
  'Genève',
  'تل أبيب',
] as const

export const directions = [
  'Key box left of the door, code 4711.',
  'Bitte zweimal klingeln, der Hund ist lieb.',
  'المدخل من الخلف',
  'Park in the yard; deliveries until noon only.',
] as const
export const memos = [
  'Pays late.',
  'Prefers calls in the morning.',
  'Ärger mit dem alten Kessel, Baujahr 1987.',
] as const

export const scopes = [
  'Inspect the boiler, clean the burner, measure emissions.\nReport by mail.',
  'Replace two taps and check all valves in the kitchen.',
  'تنظيف المجاري واستبدال الفلتر',
  'Réparation de la fuite au deuxième étage, « sans casser le carrelage ».',
  'Clean gutters on the north side & remove leaves.',
] as const
export const internals = [
  'Bring the long ladder.',
  'Ask Jürgen for the spare valve; supplier is late.',
  'לקוח ותיק',
  'Margin is thin here: no discount.',
] as const
export const longText = `${'Die Anlage steht im Keller hinter der zweiten Tür; der Hauptschalter ist oben rechts. '.repeat(40)}Ende.`

/** Label and cents. */
export const charges = [
  ['Arbeitszeit', 6850],
  ['Call-out fee', 4900],
  ['Filter 25 µm', 1899],
  ['Kupferrohr 15 mm, je Meter', 1245],
  ['Pompe de circulation', 38_990],
  ['صمام', 999],
  ['Boiler, complete', 249_900],
  ['Disposal', 0],
] as const

export const topics = ['First look', 'Installation', 'Abnahme', 'Follow-up', 'Wartung'] as const
export const remarks = [
  '',
  '',
  'Ring the bell.',
  'Bring: ladder, lamp',
  'يرجى الاتصال قبل الوصول',
  'Schlüssel beim Nachbarn',
] as const
