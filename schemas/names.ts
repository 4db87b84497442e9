/** An app's slug, in addresses, queues and tool names: words of small letters and digits with hyphens between them. At most 64 characters. */
export const slugForm = '[a-z][a-z0-9]*(?:-[a-z0-9]+)*'

/** An endpoint's name: words of small letters and digits with underscores between them. */
export const endpointForm = '[a-z][a-z0-9]*(?:_[a-z0-9]+)*'

/** An address, or an id, with names in it: `{slug}` and `{endpoint}` stand for one each, the rest is a regular expression. */
export function named(form: string): RegExp {
  return new RegExp(`^${form.replaceAll('{slug}', `(${slugForm})`).replaceAll('{endpoint}', `(${endpointForm})`)}$`)
}
