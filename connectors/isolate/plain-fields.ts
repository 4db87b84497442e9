import { Type } from 'typebox'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { consequenceKinds } from '../kit/approval.ts'
import type { ConnectorSpec } from '../kit/define.ts'
import { parseLine } from '../kit/request-line.ts'
import type { Line } from '../kit/request-line.ts'
import { BadBundle } from './failed.ts'

const text = (longest: number) => Type.String({ maxLength: longest })
const word = text(200)
const words = Type.Array(word, { maxItems: 100 })
const byWord = (value: TSchema) => Type.Record(Type.String({ maxLength: 200 }), value)
const nullable = (schema: TSchema) => Type.Union([schema, Type.Null()])
const oneOf = (...values: readonly string[]) => Type.Union(values.map((value) => Type.Literal(value)))

const given = { from: Type.Optional(byWord(word)), set: Type.Optional(byWord(Type.Unknown())) }
const place = { at: Type.Optional(word), id: Type.Optional(word) }
const values = byWord(Type.Array(Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])))
const shown = { of: word, read: word, set: given.set, at: place.at, shows: words, matters: words }
const rule = Type.Object({
  field: word,
  in: Type.Optional(Type.Array(Type.Unknown(), { maxItems: 100 })),
  not: Type.Optional(Type.Array(Type.Unknown(), { maxItems: 100 })),
  is: Type.Optional(word),
  isNot: Type.Optional(word),
  where: Type.Optional(word),
})
const line = Type.Object({ method: word, path: word, names: words, optional: words })
const answer = oneOf('json', 'page', 'redirect', 'empty', 'text', 'any')
const source = Type.Union([
  Type.Object({ input: word, form: Type.Optional(byWord(word)) }, { additionalProperties: false }),
  Type.Object({ meta: word }, { additionalProperties: false }),
  Type.Object({ json: word }, { additionalProperties: false }),
  Type.Object({ cookie: word }, { additionalProperties: false }),
  Type.Object({ css: word, attribute: Type.Optional(word) }, { additionalProperties: false }),
])
const filled = Type.Union([
  Type.Object({ field: word }, { additionalProperties: false }),
  Type.Object({ header: word }, { additionalProperties: false }),
])
const token = Type.Object({ page: word, answer: oneOf('page', 'json'), fills: filled, from: source })

/** The compiler's checks for an endpoint not compiled here, without functions and schemas. */
const endpoint = Compile(
  Type.Object({
    summary: text(2000),
    label: word,
    brief: words,
    effect: nullable(oneOf('adds', 'changes', 'removes')),
    shownBy: Type.Array(Type.Object({ read: word, ...given }), { maxItems: 20 }),
    preview: Type.Array(
      Type.Object({
        ...shown,
        ...place,
        by: Type.Optional(word),
        from: given.from,
        conclusive: Type.Optional(Type.Literal(true)),
        needs: Type.Optional(values),
        rules: Type.Optional(Type.Array(rule, { maxItems: 20 })),
        goesOnTo: Type.Optional(Type.Array(Type.Object({ ...shown, by: word }), { maxItems: 20 })),
      }),
      { maxItems: 20 },
    ),
    verify: nullable(
      Type.Object({
        read: word,
        ...given,
        ...place,
        same: byWord(word),
        is: Type.Optional(values),
        since: Type.Optional(word),
        proof: Type.Optional(Type.Object({ words: word, before: values, output: byWord(word) })),
      }),
    ),
    approval: Type.Optional(
      nullable(
        Type.Object({
          headline: text(500),
          button: word,
          instead: Type.Optional(
            Type.Array(Type.Object({ when: values, headline: text(500), button: word }), { maxItems: 10 }),
          ),
          consequences: Type.Array(
            Type.Object({ kind: oneOf(...consequenceKinds), text: text(500), when: Type.Optional(values) }),
            { maxItems: 10 },
          ),
        }),
      ),
    ),
    access: oneOf('read', 'write'),
    confirm: Type.Boolean(),
    credits: Type.Integer({ minimum: 0, maximum: 1000 }),
    line,
    host: nullable(word),
    segments: byWord(Type.Unknown()),
    answer,
    statuses: Type.Optional(nullable(Type.Array(Type.Integer(), { maxItems: 50 }))),
    after: Type.Union([line, Type.Literal('location'), Type.Null()]),
    afterAnswer: answer,
    csrf: Type.Optional(nullable(token)),
    before: Type.Union([
      word,
      Type.Null(),
      byWord(
        Type.Object({
          request: word,
          answer: Type.Optional(oneOf('page', 'json')),
          ahead: Type.Optional(Type.Literal(true)),
        }),
      ),
    ]),
    form: nullable(
      Type.Object({
        page: line,
        query: byWord(text(1000)),
        selector: word,
        submit: nullable(Type.Object({ name: word, value: Type.Optional(text(10_000)) })),
        fields: nullable(words),
        volatile: words,
        suggested: words,
        scripted: Type.Optional(words),
        labels: byWord(word),
      }),
    ),
    volatile: Type.Array(token, { maxItems: 20 }),
  }),
)

const connector = Compile(
  Type.Object({
    name: word,
    description: text(2000),
    role: text(2000),
    signIn: Type.Object({
      page: word,
      who: Type.Object({ page: word }),
      hosts: Type.Optional(words),
      storage: Type.Optional(words),
    }),
    csrf: Type.Optional(token),
    things: byWord(
      Type.Object({
        label: word,
        toldBy: Type.Array(Type.Object({ read: word, by: Type.Optional(word), at: Type.Optional(word), id: word })),
        title: words,
        facts: words,
      }),
    ),
    pacing: Type.Optional(
      Type.Object({
        perApp: Type.Number({ exclusiveMinimum: 0, maximum: 100 }),
        perAccount: Type.Number({ exclusiveMinimum: 0, maximum: 100 }),
      }),
    ),
  }),
)

/** Throws `BadBundle` if a field's type is not the declared one: later code trusts the types. */
export function checkPlainFields(spec: ConnectorSpec): void {
  const wrong = (what: string, path: string): never => {
    throw new BadBundle(
      `says ${path.slice(1).replaceAll('/', '.') || 'nothing'} of ${what} in a form that is not taken`,
    )
  }
  const [fault] = connector.Errors(spec)
  if (fault) wrong('itself', fault.instancePath)
  for (const [name, definition] of spec.endpoints.flatMap((file) => Object.entries(file))) {
    const [problem] = endpoint.Errors(definition)
    if (problem) wrong(name, problem.instancePath)
    const { line: own, after, form } = definition
    for (const one of [own, after, form?.page]) if (one && one !== 'location' && !isAsParsed(one)) wrong(name, '/line')
  }
}

/** Whether the parsed parts match the line's text: some code reads the parts, some the text. */
function isAsParsed(one: Line): boolean {
  const { method, names, optional } = parseLine(`${one.method} ${one.path}`)
  return method === one.method && String(names) === String(one.names) && String(optional) === String(one.optional)
}
