/** An app's slug: words of small letters and digits, joined by hyphens. At most 64 characters. */
export const slugForm = '[a-z][a-z0-9]*(?:-[a-z0-9]+)*'

/** An endpoint's name: words of small letters and digits, joined by underscores. */
export const endpointForm = '[a-z][a-z0-9]*(?:_[a-z0-9]+)*'

/** A path or id with names: `{slug}` and `{endpoint}` match one each; the rest is a RegExp. */
export function named(form: string): RegExp {
  return new RegExp(`^${form.replaceAll('{slug}', `(${slugForm})`).replaceAll('{endpoint}', `(${endpointForm})`)}$`)
}
