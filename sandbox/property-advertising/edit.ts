import { isRecord } from '../platform/body.ts'
import { Refusal } from '../platform/types.ts'
import type { AdChange } from './ads.ts'

const invalid = (code: string, message: string, field: string): Refusal => new Refusal(422, code, message, field)

const limits = { cents: 100_000_000_000, blurb: 5000, perks: 30, perk: 60 }

function readCents(value: unknown): number {
  const cents = isRecord(value) ? value['cents'] : undefined
  if (!isRecord(value) || Object.keys(value).some((name) => name !== 'cents')) {
    throw invalid('ASKING_INVALID', 'asking is { "cents": "24500000" }; the currency of an ad never changes.', 'asking')
  }
  const digits = typeof cents === 'number' && Number.isInteger(cents) ? String(cents) : cents
  if (typeof digits !== 'string' || !/^-?\d{1,15}$/.test(digits)) {
    throw invalid('ASKING_INVALID', 'asking.cents must be a whole number of hundredths.', 'asking')
  }
  if (Number(digits) < 0) throw invalid('ASKING_NEGATIVE', 'The price cannot be negative.', 'asking')
  if (Number(digits) > limits.cents) throw invalid('ASKING_TOO_HIGH', 'The price is too high.', 'asking')
  return Number(digits)
}

function readNumber(value: unknown, field: string, high: number, whole: boolean): number {
  if (typeof value !== 'number' || value < 0 || value > high || (whole && !Number.isInteger(value))) {
    throw invalid('NUMBER_INVALID', `${field} must be a ${whole ? 'whole ' : ''}number from 0 to ${high}.`, field)
  }
  return value
}

function readBlurb(value: unknown): string {
  if (typeof value !== 'string') throw invalid('BLURB_INVALID', 'blurb must be a text.', 'blurb')
  if (Array.from(value).length > limits.blurb) {
    throw invalid('BLURB_TOO_LONG', `The text may have ${limits.blurb} characters at most.`, 'blurb')
  }
  return value
}

function readPerks(value: unknown): string[] {
  if (!Array.isArray(value) || value.some((perk) => typeof perk !== 'string')) {
    throw invalid('PERK_INVALID', 'perks must be a list of texts.', 'perks')
  }
  const perks = value.map((perk) => String(perk).trim())
  if (perks.length > limits.perks) throw invalid('TOO_MANY_PERKS', `An ad has ${limits.perks} perks at most.`, 'perks')
  if (perks.some((perk) => perk === '' || Array.from(perk).length > limits.perk)) {
    throw invalid('PERK_INVALID', `A perk has 1 to ${limits.perk} characters.`, 'perks')
  }
  if (new Set(perks).size < perks.length) throw invalid('PERK_TWICE', 'A perk is listed twice.', 'perks')
  return perks
}

function readFacts(value: unknown): AdChange {
  if (!isRecord(value)) throw invalid('FACTS_INVALID', 'facts is an object with built_m2, bedrooms, baths.', 'facts')
  const change: AdChange = {}
  for (const [name, given] of Object.entries(value)) {
    if (name === 'built_m2') change.built = readNumber(given, 'facts.built_m2', 100_000, false)
    else if (name === 'bedrooms') change.rooms = readNumber(given, 'facts.bedrooms', 100, true)
    else if (name === 'baths') change.baths = readNumber(given, 'facts.baths', 100, true)
    else throw invalid('FIELD_UNKNOWN', `There is no field facts.${name}.`, `facts.${name}`)
  }
  return change
}

/** What a PATCH of an ad may carry: asking, blurb, facts, perks; what is left out stays. */
export function readChange(input: unknown): AdChange {
  if (!isRecord(input)) throw new Refusal(400, 'BODY_INVALID', 'The body must be a JSON object.')
  const change: AdChange = {}
  for (const [name, value] of Object.entries(input)) {
    if (name === 'asking') change.cents = readCents(value)
    else if (name === 'blurb') change.blurb = readBlurb(value)
    else if (name === 'perks') change.perks = readPerks(value)
    else if (name === 'facts') Object.assign(change, readFacts(value))
    else throw invalid('FIELD_UNKNOWN', `There is no field ${name} to change.`, name)
  }
  if (Object.keys(change).length === 0) throw new Refusal(422, 'NOTHING_TO_CHANGE', 'Nothing was given to change.')
  return change
}

/** The same from the edit form, which has the price as `245000.00` and a perk a line. */
export function readChangeForm(form: URLSearchParams): AdChange {
  const input: Record<string, unknown> = {}
  const facts: Record<string, unknown> = {}
  const asking = form.get('asking')
  if (asking !== null) {
    if (!/^-?\d+([.,]\d{1,2})?$/.test(asking))
      throw invalid('ASKING_INVALID', 'The price is a number such as 245000.00.', 'asking')
    input['asking'] = { cents: Math.round(Number(asking.replace(',', '.')) * 100) }
  }
  const blurb = form.get('blurb')
  if (blurb !== null) input['blurb'] = blurb.replaceAll('\r\n', '\n')
  const perks = form.get('perks')
  if (perks !== null)
    input['perks'] = perks
      .split('\n')
      .map((perk) => perk.trim())
      .filter((perk) => perk !== '')
  for (const name of ['built_m2', 'bedrooms', 'baths']) {
    const value = form.get(name)
    if (value !== null) facts[name] = Number(value === '' ? 'none' : value)
  }
  if (Object.keys(facts).length > 0) input['facts'] = facts
  return readChange(input)
}
