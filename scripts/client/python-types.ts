import type { App, JsonSchema } from '../../connectors/registry.ts'
import { hasGroups } from '../../connectors/kit/groups.ts'
import { isFields } from '../../connectors/kit/wire.ts'

const generated = '# Generated from connectors/; do not edit.\n'

/** The files below client/python/callgate: types of each endpoint, and clients with overloads. */
export function pythonOf(apps: readonly App[]): Readonly<Record<string, string>> {
  const all = apps.flatMap(({ slug, endpoints }) => [...endpoints.values()].map((one) => ({ ...one, slug })))
  const declared: string[] = []
  const actions = all.map(({ slug, name, summary, inputSchema, outputSchema }) => ({
    id: `${slug}.${name}`,
    summary,
    input: typeOf(inputSchema, className(`${slug}_${name}_input`), declared),
    output: typeOf(outputSchema, className(`${slug}_${name}_output`), declared),
  }))
  const typing =
    'from typing import Any, Dict, List, Literal, TypedDict, Union\n\nfrom typing_extensions import NotRequired\n'
  // They accept fewer endpoints than the class that they extend, on purpose.
  const run = (self: string) =>
    actions
      .map(({ id, summary, input, output }, at) =>
        [
          `    @overload${at === 0 ? '  # type: ignore[override]' : ''}`,
          `    ${self}def run(self, action: Literal["${id}"], input: e.${input}, **options: Unpack[RunOptions]) -> e.${output}:`,
          `        """${summary.replaceAll('\\', '\\\\').replaceAll('"""', "'''")}"""`,
        ].join('\n'),
      )
      .join('\n')
  return {
    'endpoints.pyi': `${generated}${typing}\n${declared.join('\n')}`,
    'apps.pyi': `${generated}from typing import Literal, overload

from typing_extensions import Unpack

from . import client
from . import endpoints as e
from ._flow import RunOptions

class Callgate(client.Callgate):
${run('')}

class AsyncCallgate(client.AsyncCallgate):
${run('async ')}
`,
  }
}

const className = (words: string): string =>
  words.replaceAll(/(?:^|[-_])(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Returns the type; objects are declared under that name. */
function typeOf(schema: unknown, name: string, declared: string[]): string {
  if (!isFields(schema)) return 'Any'
  if ('const' in schema) return literal(schema['const'])
  if (Array.isArray(schema['enum'])) return unionOf(schema['enum'].map((value) => literal(value)))
  const { anyOf } = schema
  if (Array.isArray(anyOf) && !hasGroups(schema))
    return unionOf(anyOf.map((one, at) => typeOf(one, anyOf.length > 1 && at > 0 ? `${name}${at}` : name, declared)))
  switch (schema['type']) {
    case 'string':
      return 'str'
    case 'integer':
      return 'int'
    case 'number':
      return 'float'
    case 'boolean':
      return 'bool'
    case 'null':
      return 'None'
    case 'array':
      return `List[${typeOf(schema['items'], `${name}Item`, declared)}]`
    case 'object':
      return objectOf(schema, name, declared)
    default:
      return 'Any'
  }
}

/** String literals, such as the empty string, are dropped next to `str`. */
function unionOf(types: readonly string[]): string {
  const text = types.includes('str')
  const distinct = [...new Set(types.filter((type) => !(text && type.startsWith('Literal["'))))]
  return distinct.length === 1 ? (distinct[0] ?? 'Any') : `Union[${distinct.join(', ')}]`
}

/** In the functional syntax, which also allows Python keywords as field names. */
function objectOf(schema: JsonSchema, name: string, declared: string[]): string {
  const properties = isFields(schema['properties']) ? Object.entries(schema['properties']) : []
  const patterns = isFields(schema['patternProperties']) ? Object.values(schema['patternProperties']) : []
  if (patterns.length > 0) return `Dict[str, ${typeOf(patterns[0], `${name}Value`, declared)}]`
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
  const fields = properties.map(([field, property]) => {
    const type = typeOf(property, className(`${name}_${field}`), declared)
    const has = required.includes(field) ? type : `NotRequired[${type}]`
    const said = isFields(property) && typeof property['description'] === 'string' ? property['description'] : ''
    return `${said === '' ? '' : `        # ${said.replaceAll(/\s+/g, ' ')}\n`}        "${field}": ${has},\n`
  })
  declared.push(`${name} = TypedDict(\n    "${name}",\n    {\n${fields.join('')}    },\n)\n`)
  return name
}

function literal(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return `Literal[${value ? 'True' : 'False'}]`
  return `Literal[${JSON.stringify(value)}]`
}
