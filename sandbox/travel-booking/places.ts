export const vehicles = ['RAIL', 'COACH', 'AIR', 'SEA'] as const
export type Vehicle = (typeof vehicles)[number]

export const isVehicle = (text: string): text is Vehicle => vehicles.some((vehicle) => vehicle === text)

export interface Place {
  key: string
  city: string
  /** Other names that people type. */
  also: readonly string[]
  zone: string
  stops: Readonly<Partial<Record<Vehicle, string>>>
}

/** The places up to Akureyri have clocks that never change. */
export const places: readonly Place[] = [
  {
    key: 'ist',
    city: 'İstanbul',
    also: ['Istanbul', 'Constantinople'],
    zone: 'Europe/Istanbul',
    stops: {
      RAIL: 'Söğütlüçeşme',
      COACH: 'Esenler Otogarı',
      AIR: 'İstanbul Havalimanı (IST)',
      SEA: 'Yenikapı İskelesi',
    },
  },
  {
    key: 'ank',
    city: 'Ankara',
    also: [],
    zone: 'Europe/Istanbul',
    stops: { RAIL: 'Ankara Garı', COACH: 'AŞTİ', AIR: 'Esenboğa (ESB)' },
  },
  {
    key: 'kny',
    city: 'Konya',
    also: [],
    zone: 'Europe/Istanbul',
    stops: { RAIL: 'Konya Garı', COACH: 'Konya Otogarı' },
  },
  { key: 'brs', city: 'Bursa', also: [], zone: 'Europe/Istanbul', stops: { SEA: 'Mudanya Güzelyalı' } },
  {
    key: 'izm',
    city: 'İzmir',
    also: ['Izmir', 'Smyrna'],
    zone: 'Europe/Istanbul',
    stops: { SEA: 'Alsancak Limanı', AIR: 'Adnan Menderes (ADB)' },
  },
  {
    key: 'tun',
    city: 'تونس',
    also: ['Tunis'],
    zone: 'Africa/Tunis',
    stops: { RAIL: 'محطة برشلونة', COACH: 'باب عليوة', AIR: 'Tunis-Carthage (TUN)', SEA: 'La Goulette' },
  },
  {
    key: 'sfx',
    city: 'صفاقس',
    also: ['Sfax'],
    zone: 'Africa/Tunis',
    stops: { RAIL: 'محطة صفاقس', COACH: 'محطة الحافلات' },
  },
  { key: 'dxb', city: 'Dubai', also: ['دبي'], zone: 'Asia/Dubai', stops: { AIR: 'Dubai International (DXB)' } },
  {
    key: 'rey',
    city: 'Reykjavík',
    also: [],
    zone: 'Atlantic/Reykjavik',
    stops: { COACH: 'Mjódd', AIR: 'Reykjavíkurflugvöllur (RKV)' },
  },
  {
    key: 'aku',
    city: 'Akureyri',
    also: [],
    zone: 'Atlantic/Reykjavik',
    stops: { COACH: 'Hof', AIR: 'Akureyrarflugvöllur (AEY)' },
  },
  {
    key: 'lon',
    city: 'London',
    also: ['Londres'],
    zone: 'Europe/London',
    stops: { RAIL: 'St Pancras', COACH: 'Victoria Coach Station', AIR: 'Heathrow (LHR)' },
  },
  {
    key: 'par',
    city: 'Paris',
    also: [],
    zone: 'Europe/Paris',
    stops: { RAIL: 'Gare du Nord', COACH: 'Bercy Seine', AIR: 'Charles de Gaulle (CDG)' },
  },
  { key: 'lyo', city: 'Lyon', also: [], zone: 'Europe/Paris', stops: { RAIL: 'Part-Dieu' } },
  {
    key: 'mrs',
    city: 'Marseille',
    also: [],
    zone: 'Europe/Paris',
    stops: { SEA: 'La Joliette', RAIL: 'Saint-Charles' },
  },
  {
    key: 'bcn',
    city: 'Barcelona',
    also: [],
    zone: 'Europe/Madrid',
    stops: { RAIL: 'Sants', SEA: 'Moll de Sant Bertran' },
  },
  { key: 'lis', city: 'Lisboa', also: ['Lisbon'], zone: 'Europe/Lisbon', stops: { AIR: 'Humberto Delgado (LIS)' } },
  {
    key: 'tlv',
    city: 'תל אביב–יפו',
    also: ['תל אביב', 'Tel Aviv'],
    zone: 'Asia/Jerusalem',
    stops: { RAIL: 'סבידור מרכז', AIR: 'נתב״ג (TLV)' },
  },
  { key: 'hfa', city: 'חיפה', also: ['Haifa'], zone: 'Asia/Jerusalem', stops: { RAIL: 'חוף הכרמל' } },
  { key: 'nyc', city: 'New York', also: ['NYC'], zone: 'America/New_York', stops: { AIR: 'John F. Kennedy (JFK)' } },
]

export function placeOf(key: string): Place {
  const place = places.find((one) => one.key === key)
  if (!place) throw new RangeError(`There is no place ${key}.`)
  return place
}

/** A city, or one of its stops: then only what leaves from there counts. */
export interface Spot {
  place: Place
  vehicle: Vehicle | undefined
}

const fold = (text: string): string =>
  text
    .trim()
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll('ı', 'i')

/** What somebody typed: a city's name or key, or the name of a stop, alone or behind that of its city as trips show it. */
export function findSpot(typed: string): Spot | undefined {
  const wanted = fold(typed)
  const isWanted = (name: string): boolean => fold(name) === wanted
  for (const place of places) {
    const cities = [place.city, ...place.also]
    if ([place.key, ...cities].some(isWanted)) return { place, vehicle: undefined }
    const vehicle = vehicles.find((one) => {
      const stop = place.stops[one]
      return stop !== undefined && [stop, ...cities.map((city) => `${city}, ${stop}`)].some(isWanted)
    })
    if (vehicle) return { place, vehicle }
  }
  return undefined
}
