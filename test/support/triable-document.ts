import type { Context } from '../../core/context.ts'

/**
 * The gateway's OpenAPI document, but for what its schemas do not say: only answers make cursors, so made-up ones are refused;
 * U+0000 is refused in every text (an option of schemathesis says so of all texts but those in lists); and an identifier that
 * becomes part of an address has some characters less.
 */
export async function triableDocument(stack: {
  readonly publicUrl: string
  readonly ctx: Pick<Context, 'apps'>
}): Promise<unknown> {
  const identifiers = new Map<string, readonly string[]>()
  for (const { slug, endpoints } of stack.ctx.apps.all)
    for (const { name, definition } of endpoints.values()) {
      identifiers.set(`${slug}.${name}.input`, definition.line.names)
      identifiers.set(`/${slug}/${name}`, definition.line.names)
    }
  const text = await (await fetch(`${stack.publicUrl}/openapi.json`)).text()
  return JSON.parse(text, (key, value: unknown) => {
    if (key === 'parameters' && Array.isArray(value)) return withoutCursor(value)
    if (key === 'items' && isFree(value)) return { ...value, pattern: '^[^\\u0000]*$' }
    if (key === 'properties' && isObject(value))
      return Object.fromEntries(Object.entries(value).filter(([name]) => name !== 'cursor'))
    const names = identifiers.get(key)
    return names === undefined ? value : narrowed(value, names)
  })
}

/** Not dots only, and without what would lead to another address. */
const unreserved = String.raw`^[^./\\%\x00-\x1f\x7f][^/\\%\x00-\x1f\x7f]*$`

/** The schema of a text of any content. */
function isFree(schema: unknown): schema is object {
  return (
    isObject(schema) && schema['type'] === 'string' && !('pattern' in schema || 'enum' in schema || 'format' in schema)
  )
}

/** An input's schema, or the operations of an endpoint, whose identifiers have no characters but those that they may. */
function narrowed(value: unknown, names: readonly string[]): unknown {
  return JSON.parse(JSON.stringify(value), function (this: unknown, key, inner: unknown) {
    const name = key === 'schema' && isObject(this) ? this['name'] : key
    return typeof name === 'string' && names.includes(name) && isFree(inner) ? { ...inner, pattern: unreserved } : inner
  })
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function withoutCursor(parameters: readonly unknown[]): readonly unknown[] {
  return parameters.filter((one) => !isCursor(one))
}

function isCursor(parameter: unknown): boolean {
  if (typeof parameter !== 'object' || parameter === null) return false
  return (
    ('name' in parameter && parameter.name === 'cursor') ||
    ('$ref' in parameter && parameter.$ref === '#/components/parameters/cursor')
  )
}
