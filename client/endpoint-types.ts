type Fields = Readonly<Record<string, unknown>>

/** An endpoint with the JSON Schemas of its input and output. */
export interface TypedEndpoint {
  /** `app.endpoint` */
  readonly id: string
  readonly summary: string
  readonly access: string
  readonly confirm: boolean
  readonly input: unknown
  readonly output: unknown
}

/** A member of `Endpoints`. Texts of connector authors are escaped in comments and literals. */
export function memberOf({ id, summary, access, confirm, input, output }: TypedEndpoint, indent: string): string {
  const inner = `${indent}  `
  return [
    `${indent}/** ${comment(summary)} */`,
    `${indent}${literal(id)}: {`,
    `${inner}access: ${literal(access)}`,
    `${inner}confirm: ${confirm}`,
    `${inner}input: ${typeOf(input, inner)}`,
    `${inner}output: ${typeOf(output, inner)}`,
    `${indent}}`,
  ].join('\n')
}

export function typeOf(schema: unknown, indent: string): string {
  if (!isFields(schema)) return 'unknown'
  if ('const' in schema) return literal(schema['const'])
  if (Array.isArray(schema['enum'])) return schema['enum'].map(literal).join(' | ')
  const { type, allOf } = schema
  // Next to `properties`, `anyOf` and `oneOf` only say which of them must be present.
  const choice = 'properties' in schema ? undefined : (schema['anyOf'] ?? schema['oneOf'])
  if (Array.isArray(choice)) return unionOf(choice.map((one) => typeOf(one, indent)))
  if (Array.isArray(type)) return unionOf(type.map((one: unknown) => typeOf({ ...schema, type: one }, indent)))
  if (Array.isArray(allOf) && type === undefined) return allOf.map((one) => wrapped(typeOf(one, indent))).join(' & ')
  switch (type) {
    case 'string':
      return 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'null':
      return 'null'
    case 'array':
      return `readonly ${wrapped(typeOf(schema['items'], indent))}[]`
    case 'object':
      return objectOf(schema, indent)
    default:
      return 'unknown'
  }
}

/** String literals, such as the empty string, are dropped next to `string`. */
function unionOf(types: readonly string[]): string {
  const text = types.includes('string')
  return [...new Set(types.filter((type) => !(text && type.startsWith("'"))))].join(' | ')
}

function objectOf(schema: Fields, indent: string): string {
  const properties = isFields(schema['properties']) ? Object.entries(schema['properties']) : []
  const patterns = isFields(schema['patternProperties']) ? Object.values(schema['patternProperties']) : []
  const others = patterns[0] ?? schema['additionalProperties']
  if (properties.length === 0)
    return others === false ? 'Record<string, never>' : `Readonly<Record<string, ${typeOf(others, indent)}>>`
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
  const inner = `${indent}  `
  const lines = properties.map(([name, property]) => {
    const described = isFields(property) && typeof property['description'] === 'string' ? property['description'] : ''
    const said = described === '' ? '' : `${inner}/** ${comment(described)} */\n`
    const key = /^[a-z_$][\w$]*$/i.test(name) ? name : literal(name)
    return `${said}${inner}readonly ${key}${required.includes(name) ? '' : '?'}: ${typeOf(property, inner)}`
  })
  return `{\n${lines.join('\n')}\n${indent}}`
}

const wrapped = (type: string): string => (isUnion(type) ? `(${type})` : type)

/** Whether the outermost level is a union; braces, comments and quotes hide inner ones. */
function isUnion(type: string): boolean {
  let depth = 0
  for (const sign of type.replaceAll(/\/\*\*.*?\*\/|'(?:\\.|[^'\\])*'/g, '')) {
    if (sign === '{' || sign === '<') depth += 1
    else if (sign === '}' || sign === '>') depth -= 1
    else if (sign === '|' && depth === 0) return true
  }
  return false
}

const comment = (text: string): string => text.replaceAll('*/', '*\\/').replaceAll(/[\r\n\u2028\u2029]+/g, ' ')

function literal(value: unknown): string {
  const json = JSON.stringify(value)
  return typeof value === 'string' ? `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'` : json
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
