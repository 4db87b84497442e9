import type { Currency } from './money.ts'

/** What seeds are made of: names and texts as they come in from several countries, awkward ones included. */

/** By `ordinal`: the first is that of the demo account. */
export const homes: readonly Currency[] = ['EUR', 'GBP', 'USD', 'JPY', 'TND', 'ILS']

export const names: readonly (readonly [string, string])[] = [
  ['Zoë', 'Núñez'],
  ['Łukasz', 'Żeromski'],
  ['محمد', 'العلوي'],
  ['Anna', 'Müller'],
  ['Siobhán', 'O’Connor'],
  ['שרה', 'כהן'],
  ['José', 'García Márquez'],
  ['Björk', 'Guðmundsdóttir'],
  ['Suharto', ''],
  ['花子', '山田'],
  ['Emma', 'Smith-Jones'],
  ['Özge', 'Şahin'],
  ['Robert <Bob>', '"Tables" & Sons'],
  ['María de los Ángeles Teresa Fernanda', 'Fernández-Villaverde y Sánchez de Toca, viuda de las Torres'],
  ['Liam', 'Brown'],
  ['Đặng', 'Thị Hà'],
]

export const notices = [
  '',
  'Boarding closes 20 minutes before departure.',
  '',
  'يرجى إحضار جواز السفر',
  'Bikes <free> & dogs on a lead.',
  '',
  'נא להגיע 30 דקות לפני היציאה',
  'Because of works between two stations this departure may run late. Please look at the board before you go to the platform. '
    .repeat(9)
    .trim(),
] as const
