import type { Vehicle } from './places.ts'

/** A line runs both ways between any two places of its path, every day alike; people change where it stops between. */
export interface Line {
  vehicle: Vehicle
  carrier: string
  path: readonly string[]
  /** From each place of the path to the next. */
  minutes: readonly number[]
  /** Minutes of the day when the first run leaves, and from each run to the next. */
  first: number
  every: number
  runs: number
  /** A grown-up's fare over the whole path, in euro cents, before swings. */
  cents: number
  /** The carrier confirms each booking by hand. */
  asks: boolean
}

const line = (
  vehicle: Vehicle,
  carrier: string,
  path: string,
  minutes: readonly number[],
  [first, every, runs]: readonly [number, number, number],
  cents: number,
  asks = false,
): Line => ({ vehicle, carrier, path: path.split(' '), minutes, first, every, runs, cents, asks })

/** The first ten (`steadyLines`) touch only places whose clocks never change. */
export const lines: readonly Line[] = [
  line('RAIL', 'Anadolu Hızlı', 'ist ank kny', [270, 105], [360, 60, 16], 3900),
  line('COACH', 'Kervan Yolu', 'ist ank kny', [390, 220], [300, 30, 36], 2300),
  line('AIR', 'Martı Hava', 'ist ank', [75], [370, 90, 11], 4900),
  line('SEA', 'Boğaz Hatları', 'ist brs', [115], [420, 150, 6], 1250),
  line('SEA', 'Ege Denizcilik', 'ist izm', [600], [1080, 90, 3], 5400, true),
  line('RAIL', 'سكة الساحل', 'tun sfx', [215], [345, 180, 6], 1400),
  line('COACH', 'Sahel Bus', 'tun sfx', [260], [330, 75, 14], 950, true),
  line('AIR', 'Simurgh Air', 'tun ist dxb', [165, 255], [405, 240, 4], 38_900),
  line('AIR', 'Norðanflug', 'rey aku', [45], [435, 120, 7], 9800),
  line('COACH', 'Hringbraut', 'rey aku', [390], [510, 300, 3], 6400),
  line('RAIL', 'EuroArc', 'lon par lyo bcn', [140, 118, 300], [361, 60, 12], 18_900),
  line('COACH', 'Nachtlijn', 'lon par', [510], [1290, 30, 4], 3400),
  line('AIR', 'Albion Wings', 'lon lis', [165], [390, 180, 6], 11_900),
  line('AIR', 'Albion Wings', 'lon nyc', [485], [600, 210, 4], 42_000),
  line('SEA', 'Corse & Maghreb', 'mrs tun', [1260], [720, 300, 2], 21_000, true),
  line('SEA', 'Baleària Nova', 'bcn mrs', [720], [1140, 60, 2], 8900),
  line('RAIL', 'רכבת החוף', 'tlv hfa', [58], [330, 30, 34], 800),
  line('AIR', 'Zephyr', 'par tlv', [265], [420, 300, 3], 23_500),
]

export const steadyLines = 10

/** What one pays for, and what it lets one do. */
export interface Tariff {
  code: string
  label: string
  /** Percent of the line's fare. */
  percent: number
  swappable: boolean
  givesBack: boolean
  flexOffered: boolean
  /** For each rider whose departure is changed, in euro cents; flex waives it. */
  swapCents: number
}

const tariff = (code: string, label: string, percent: number, rights: string, swapCents = 0): Tariff => ({
  code,
  label,
  percent,
  swappable: rights.includes('swap'),
  givesBack: rights.includes('back'),
  flexOffered: rights.includes('flex'),
  swapCents,
})

const tariffs: Record<Vehicle, readonly Tariff[]> = {
  RAIL: [
    tariff('SAVER', 'Saver, 2nd class', 70, 'flex'),
    tariff('SECOND', 'Standard, 2nd class', 100, 'swap flex', 500),
    tariff('FIRST', '1re classe — Salon', 190, 'swap back'),
  ],
  COACH: [tariff('SEAT', 'Seat', 100, 'flex'), tariff('SUITE', 'Koltuk+ geniş', 145, 'swap back', 250)],
  AIR: [
    tariff('LIGHT', 'Light, hand luggage only', 80, ''),
    tariff('CLASSIC', 'Economy Classic', 110, 'swap flex', 3000),
    tariff('BUSINESS', 'Business', 310, 'swap back'),
  ],
  SEA: [
    tariff('DECK', 'Deck', 100, 'flex'),
    tariff('CABIN', 'Inside cabin <2 berths>', 180, 'swap flex', 1200),
    tariff('SUITE', 'جناح بإطلالة', 320, 'swap back'),
  ],
}

export const tariffsOf = (vehicle: Vehicle): readonly Tariff[] => tariffs[vehicle]

export const tariffOf = (vehicle: Vehicle, code: string): Tariff | undefined =>
  tariffs[vehicle].find((one) => one.code === code)
