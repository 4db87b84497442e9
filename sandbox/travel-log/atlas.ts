/** A place in millionths of a degree. */
export interface Geo {
  lat6: number
  lng6: number
}

export interface AtlasSpot {
  label: string
  /** What else it is called. */
  aka: string
  /** Country by ISO 3166. */
  land: string
  geo: Geo
  zone: string
}

/** From west to east along a way around the world. */
const lines = `
Reykjavík||IS|64.146600|-21.942600|Atlantic/Reykjavik
Þingvellir|Thingvellir|IS|64.255900|-21.129800|Atlantic/Reykjavik
Akureyri||IS|65.688500|-18.126200|Atlantic/Reykjavik
Dublin|Baile Átha Cliath|IE|53.349800|-6.260300|Europe/Dublin
London||GB|51.507400|-0.127800|Europe/London
Lisboa|Lisbon|PT|38.722300|-9.139300|Europe/Lisbon
Porto||PT|41.157900|-8.629100|Europe/Lisbon
Sevilla|Seville|ES|37.389100|-5.984500|Europe/Madrid
Barcelona||ES|41.387400|2.168600|Europe/Madrid
Paris||FR|48.856600|2.352200|Europe/Paris
Genève|Geneva|CH|46.204400|6.143200|Europe/Zurich
Berlin||DE|52.520000|13.405000|Europe/Berlin
Roma|Rome|IT|41.902800|12.496400|Europe/Rome
Napoli|Naples|IT|40.851800|14.268100|Europe/Rome
Praha|Prague|CZ|50.075500|14.437800|Europe/Prague
Kraków|Cracow|PL|50.064700|19.945000|Europe/Warsaw
Αθήνα|Athens|GR|37.983800|23.727500|Europe/Athens
İstanbul|Istanbul|TR|41.008200|28.978400|Europe/Istanbul
القاهرة|Cairo|EG|30.044400|31.235700|Africa/Cairo
ירושלים|Jerusalem|IL|31.768300|35.213700|Asia/Jerusalem
Nairobi||KE|-1.292100|36.821900|Africa/Nairobi
Cape Town|Kaapstad|ZA|-33.924900|18.424100|Africa/Johannesburg
Mumbai|Bombay|IN|19.076000|72.877700|Asia/Kolkata
काठमाडौं|Kathmandu|NP|27.717200|85.324000|Asia/Kathmandu
Bangkok|กรุงเทพฯ|TH|13.756300|100.501800|Asia/Bangkok
Hà Nội|Hanoi|VN|21.027800|105.834200|Asia/Ho_Chi_Minh
Singapore||SG|1.352100|103.819800|Asia/Singapore
京都|Kyoto|JP|35.011600|135.768100|Asia/Tokyo
東京|Tokyo|JP|35.676200|139.650300|Asia/Tokyo
Sydney||AU|-33.868800|151.209300|Australia/Sydney
Tāmaki Makaurau|Auckland|NZ|-36.850900|174.764500|Pacific/Auckland
Honolulu||US|21.306900|-157.858300|Pacific/Honolulu
San Francisco||US|37.774900|-122.419400|America/Los_Angeles
Ciudad de México|Mexico City|MX|19.432600|-99.133200|America/Mexico_City
Chicago||US|41.878100|-87.629800|America/Chicago
New York|New York City|US|40.712800|-74.006000|America/New_York
Montréal|Montreal|CA|45.501700|-73.567300|America/Toronto
St. John’s|St. John's|CA|47.561500|-52.712600|America/St_Johns
Cusco|Cuzco|PE|-13.531900|-71.967500|America/Lima
Ushuaia||AR|-54.801900|-68.303000|America/Argentina/Ushuaia
Buenos Aires||AR|-34.603700|-58.381600|America/Argentina/Buenos_Aires
Rio de Janeiro||BR|-22.906800|-43.172900|America/Sao_Paulo
`

export const atlas: readonly AtlasSpot[] = lines
  .trim()
  .split('\n')
  .map((line) => {
    const [label = '', aka = '', land = '', lat, lng, zone = ''] = line.split('|')
    return { label, aka, land, geo: { lat6: Math.round(Number(lat) * 1e6), lng6: Math.round(Number(lng) * 1e6) }, zone }
  })

const lands = new Intl.DisplayNames('en', { type: 'region' })

export const landName = (land: string): string => lands.of(land) ?? land

const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[’\s]+/g, ' ')
    .trim()

const byName = new Map(
  atlas.flatMap((spot) =>
    [spot.label, spot.aka]
      .filter((name) => name !== '')
      .flatMap((name) =>
        [name, `${name}, ${landName(spot.land)}`, `${name}, ${spot.land}`].map((full) => [fold(full), spot] as const),
      ),
  ),
)

/** The spot of that name, with or without its country; accents and capitals alike. */
export const spotNamed = (name: string): AtlasSpot | undefined => byName.get(fold(name))

/** Metres along the earth's surface. */
export function metresBetween(a: Geo, b: Geo): number {
  const rad = (micro: number): number => (micro / 1e6) * (Math.PI / 180)
  const half = (from: number, to: number): number => Math.sin((rad(to) - rad(from)) / 2) ** 2
  const part = half(a.lat6, b.lat6) + Math.cos(rad(a.lat6)) * Math.cos(rad(b.lat6)) * half(a.lng6, b.lng6)
  return 2 * 6_371_000 * Math.asin(Math.min(1, Math.sqrt(part)))
}

/** The nearest spot of the atlas within 60 km. */
export function spotNear(geo: Geo): AtlasSpot | undefined {
  const [nearest] = atlas
    .map((spot) => ({ spot, metres: metresBetween(spot.geo, geo) }))
    .toSorted((a, b) => a.metres - b.metres)
  return nearest && nearest.metres <= 60_000 ? nearest.spot : undefined
}
