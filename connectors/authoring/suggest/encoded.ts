import { isFields } from '../../kit/wire.ts'
import type { Decision } from './draft.ts'
import type { Inputs } from './inputs.ts'
import { isIdLike } from './inputs.ts'
import { keyOf, nameOf, plainly, property, quoted, singular } from './literal.ts'
import { inFields, readerOf } from './places.ts'
import { isSecret, isTokenName, sourceOf, tokenCode } from './tokens.ts'

/** The parts of an encoded request: constants, inputs, tokens, values of earlier pages. */
export class Encoded {
  readonly decisions: Decision[] = []
  readonly tokens: string[] = []
  /** The pages that are read first, by their names. */
  readonly before = new Map<
    string,
    { readonly request: string; readonly isJson: boolean; readonly takes: Map<string, string> }
  >()
  readonly used = new Set<string>()
  readonly #inputs: Inputs

  constructor(inputs: Inputs) {
    this.#inputs = inputs
  }

  /** The expression for a value (one per run, as in JSON); null: filled in otherwise. */
  value(
    name: string,
    values: readonly unknown[],
    at: 'query' | 'form' | 'json' | 'header',
    asked: { readonly optional: boolean },
  ): string | null {
    const texts = values.map((one) => (one === undefined || one === null ? '' : written(one)))
    const [first = ''] = texts
    const inputs = this.#inputs
    const known = inputs.known(texts)
    const isToken = texts.every((one) => one !== '') && (texts.some(isSecret) || (at !== 'query' && isTokenName(name)))
    if (isToken) {
      const code =
        at === 'json' || at === 'query'
          ? undefined
          : tokenCode(inputs, at === 'header' ? { header: name } : { field: name }, texts)
      if (code !== undefined) {
        this.tokens.push(code)
        return null
      }
    }
    const same = texts.every((one) => one === first)
    if (known && !isToken && (!same || isIdLike(first) || texts.length === 1)) return this.#use(known.name)
    if (isToken || !same) {
      const source = sourceOf(inputs, texts)
      if (source !== undefined) return this.#before(name, source)
    }
    if (isToken)
      this.decisions.push({
        at: keyOf(name),
        question: `${plainly(name)} has a secret that stands in nothing which was read before: where does the app's page get it from?`,
      })
    if (at === 'header') return isToken ? null : same ? quoted(first) : this.#input(name, values, asked)
    const single = texts.length === 1
    const typed = single && typeof values[0] !== 'boolean' && first !== ''
    if (isToken) return quoted(first)
    if (same && !typed && !(isIdLike(first) && isIdName(name))) return constant(values[0])
    if (single)
      this.decisions.push({
        at: nameOf(name) ?? 'value',
        question: `${plainly(name)} was ${plainly(first, 40)}: is that an input, or always so? One run cannot tell.`,
      })
    return this.#input(name, values, asked)
  }

  /** JSON code in which values that differ are inputs. */
  json(values: readonly unknown[], name = 'value', depth = 0): string {
    const [first] = values
    if (depth < 8 && isFields(first) && values.every(isFields)) {
      const objects = values as readonly Readonly<Record<string, unknown>>[]
      const keys = [...new Set(objects.flatMap((one) => Object.keys(one)))].filter((key) => key !== '__proto__')
      const parts = keys.flatMap((key) => {
        const own = objects.map((one) => (Object.hasOwn(one, key) ? one[key] : undefined))
        const optional = own.some((one) => one === undefined)
        const code = own.some((one) => typeof one === 'object' && one !== null)
          ? this.json(own, key, depth + 1)
          : this.value(key, own, 'json', { optional })
        return code === null ? [] : [property(key, code)]
      })
      return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`
    }
    if (Array.isArray(first) && values.every(Array.isArray)) {
      const lists = values as readonly (readonly unknown[])[]
      if (
        lists.every((list) => list.every((one) => typeof one === 'string')) &&
        (lists.length === 1 ? first.length > 0 : JSON.stringify(lists[0]) !== JSON.stringify(lists[1]))
      ) {
        const { name: input } = this.#inputs.add(nameOf(name), {
          schema: 'Type.Array(Type.String(), { maxItems: 100 })',
          required: true,
          given: lists,
        })
        return this.#use(input)
      }
      if (lists.every((list) => list.length === first.length))
        return `[${first
          .map((_, at) =>
            this.json(
              lists.map((list) => list[at]),
              singular(name),
              depth + 1,
            ),
          )
          .join(', ')}]`
      this.decisions.push({
        at: keyOf(name),
        question: `${plainly(name)} is a list of different lengths: it stands as in the first run.`,
      })
      return constant(first)
    }
    if (values.some((one) => typeof one === 'object' && one !== null)) return constant(first)
    return this.value(name, values, 'json', { optional: false }) ?? 'undefined'
  }

  #before(name: string, { place, page }: NonNullable<ReturnType<typeof sourceOf>>): string {
    const isJson = place.in === 'json'
    const known = [...this.before].find(([, one]) => one.request === page)?.[0]
    const called = known ?? ['page', 'other', 'third', 'fourth', 'fifth'][this.before.size] ?? 'more'
    const one = this.before.get(called) ?? { request: page, isJson, takes: new Map<string, string>() }
    this.before.set(called, one)
    const field = nameOf(name) ?? 'value'
    one.takes.set(field, readerOf(place))
    return inFields(`fields(before[${quoted(called)}])`, [field])
  }

  #input(name: string, values: readonly unknown[], { optional }: { readonly optional: boolean }): string {
    const given = values.map((one) => (one === null || one === '' ? undefined : one))
    const wanted = nameOf(name)
    const there = given.filter((one) => one !== undefined)
    const texts = there.map(String)
    if (isIdName(name) && texts.every((text) => text.length <= 200) && !optional) {
      const own =
        wanted === undefined || wanted === 'the_id' || wanted === 'id'
          ? 'thing_id'
          : `${wanted.replace(/_(?:id|pk|uuid)$/, '')}_id`
      const numeric = there.every((one) => typeof one === 'number')
      const { name: added } = this.#inputs.addId(own, texts)
      return numeric ? `Number(${this.#use(added)})` : this.#use(added)
    }
    const schema = there.every((one) => typeof one === 'boolean')
      ? 'Type.Boolean()'
      : there.every((one) => typeof one === 'number')
        ? there.every(Number.isInteger)
          ? 'Type.Integer()'
          : 'Type.Number()'
        : texts.every((text) => /^\d{4}-\d\d-\d\d$/.test(text))
          ? `day(${quoted('Which day.')})`
          : texts.every((text) => /^[^\s@]+@[^\s@]+\.[a-z]+$/i.test(text))
            ? `Type.String({ format: 'email', maxLength: 254 })`
            : `Type.String({ minLength: 1, maxLength: ${Math.max(...texts.map(({ length }) => length)) > 200 ? 20_000 : 500} })`
    const required = !optional && given.every((one) => one !== undefined)
    const { name: added } = this.#inputs.add(wanted, {
      schema,
      required,
      given:
        schema.startsWith('Type.String') || schema.startsWith('day')
          ? given.map((one) => (one === undefined ? one : written(one)))
          : given,
    })
    return this.#use(added)
  }

  #use(name: string): string {
    this.used.add(name)
    return name
  }
}

const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const isIdName = (name: string): boolean => /(?:^|_)(?:id|pk|uuid)$|[a-z]Id$/.test(name)

function constant(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return `[${value.map(constant).join(', ')}]`
  if (isFields(value))
    return `{ ${Object.entries(value)
      .map(([name, one]) => property(name, constant(one)))
      .join(', ')} }`
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value === null ? 'null' : 'undefined'
}
