import { isSelector } from '../../kit/css.ts'
import type { EndpointDefinition } from '../../kit/define.ts'
import { isFields } from '../../kit/wire.ts'
import { placeholderOf } from './render-form.ts'

/** What is wrong with an endpoint's form, as far as its page is not needed; undefined: nothing. */
export function formFault({ form, line, input, volatile }: EndpointDefinition): string | undefined {
  const isTexts = (list: unknown): boolean => Array.isArray(list) && list.every((one) => typeof one === 'string')
  if (!Array.isArray(volatile)) return 'has volatile places that are no list'
  if (!form) return undefined
  if (line.method !== 'POST') return `sends a form with ${line.method}: forms are posted`
  if (form.page.method !== 'GET') return 'reads the page of its form with another method than GET'
  if (typeof form.selector !== 'string' || !isSelector(form.selector))
    return `finds its form by "${form.selector}", which is no selector`
  if (!isFields(form.query) || !isTexts(Object.values(form.query))) return 'asks for the page of its form in no words'
  const asked = Object.values(form.query).map(placeholderOf)
  const missing = asked.find((name) => name !== undefined && !needed(input).includes(name))
  if (missing !== undefined)
    return `asks for the page of its form by {${missing}}, which is not among its required inputs`
  if (typeof form.set !== 'function') return 'sets nothing of its form'
  if (form.fields !== null && !isTexts(form.fields)) return 'has fields of its form that are no list of names'
  if (!isTexts(form.volatile)) return 'has volatile fields of its form that are no list of names'
  if (!isTexts(form.suggested)) return 'has suggested fields of its form that are no list of names'
  if (!isTexts(form.scripted ?? [])) return 'has scripted fields of its form that are no list of names'
  if (!isFields(form.labels)) return 'has labels of its form that say nothing'
  const unknown = Object.values(form.labels).find((name) => !Object.hasOwn(input.properties, name))
  return unknown === undefined ? undefined : `labels a field of its form like ${unknown}, which is no input`
}

function needed(schema: object): readonly unknown[] {
  const { required }: { required?: unknown } = schema
  return Array.isArray(required) ? required : []
}
