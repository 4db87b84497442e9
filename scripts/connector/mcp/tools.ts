import type { Tool } from '@modelcontextprotocol/server'
import { isFields } from '../../../connectors/kit/wire.ts'
import type { Given, Verb, VerbOption, VerbTool } from '../verb.ts'

type ToolVerb = Verb & { readonly tool: VerbTool }

export const isTool = (verb: Verb): verb is ToolVerb => verb.tool !== undefined

/** Argument names have no dashes: `signed_out` is `--signed-out`. */
const argumentOf = (option: string): string => option.replaceAll('-', '_')

/** A verb as a tool: its words and options become named arguments. */
export function toolOf({ name, words, about, options = {}, tool }: ToolVerb): Tool {
  const free = Object.entries(options).filter(([option]) => tool.always?.[option] === undefined)
  const properties = Object.fromEntries([
    ...words.map((word) => [
      word.name,
      word.isJson ? { type: 'object' } : { type: 'string', ...(word.shown && { description: word.shown }) },
    ]),
    ...free.map(([option, own]) => [argumentOf(option), propertyOf(own)]),
  ]) as NonNullable<Tool['inputSchema']['properties']>
  const required = words.filter((word) => word.isOptional !== true).map((word) => word.name)
  return {
    name: `connector_${name}`,
    description: about.join(' '),
    inputSchema: { type: 'object', properties, required, additionalProperties: false },
    annotations: { readOnlyHint: tool.readOnly === true, openWorldHint: true },
  }
}

function propertyOf({ type, multiple, takes, about }: VerbOption): object {
  const description = takes === undefined ? about : `${takes}: ${about}`
  return multiple ? { type: 'array', items: { type }, description } : { type, description }
}

/** Converts a tool's arguments into words and options. Throws, for the agent, what is invalid. */
export function givenOf(verb: ToolVerb, args: unknown): Pick<Given, 'words' | 'options'> {
  const fields = isFields(args) ? args : {}
  const { properties = {} } = toolOf(verb).inputSchema
  const unknown = Object.keys(fields).find((name) => !Object.hasOwn(properties, name))
  if (unknown !== undefined)
    throw new Error(`There is no argument ${unknown.slice(0, 100)}. Arguments: ${Object.keys(properties).join(', ')}.`)
  const words: string[] = []
  for (const { name, isOptional, isJson } of verb.words) {
    const value = fields[name]
    if (value === undefined && isOptional) break
    if (isJson ? !isFields(value) : typeof value !== 'string')
      throw new Error(`${name} has to be ${isJson ? 'an object' : 'a text'}.`)
    words.push(typeof value === 'string' ? value : JSON.stringify(value))
  }
  const options = Object.entries(verb.options ?? {}).flatMap(([option, { type, multiple }]) => {
    const value = fields[argumentOf(option)]
    if (value === undefined) return []
    const values = multiple && Array.isArray(value) ? value : [value]
    const isText = type === 'string'
    if (values.some((one) => (isText ? typeof one !== 'string' : typeof one !== 'boolean')))
      throw new Error(`${argumentOf(option)} has to be ${isText ? 'a text' : 'true or false'}.`)
    return [[option, multiple ? values : value] as const]
  })
  return { words, options: { ...Object.fromEntries(options), ...verb.tool.always } as Given['options'] }
}
