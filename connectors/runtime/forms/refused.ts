import type { EndpointDefinition } from '../../kit/define.ts'
import { InputRejected } from '../../kit/failures.ts'
import type { Fields } from '../../kit/wire.ts'
import type { Unfit } from './held.ts'

/** A form that a user could not submit like this: Callgate refuses, and nothing is sent. */
export class FormRefused extends InputRejected {
  constructor(message: string) {
    super('FORM_REFUSED', message.slice(0, 1000))
  }
}

/** Names the input if the value comes from one; else the field. */
export function refusal({ name, isSet, wants }: Unfit, input: string | undefined): FormRefused {
  const field = `the field "${name}" of the app's form`
  if (typeof wants === 'object' && 'several' in wants)
    return new FormRefused(
      `The app's form has ${wants.several} fields "${name}": give ${input === undefined ? 'it' : `"${input}"`} as many values, or have the connector updated.`,
    )
  if (wants === 'locked')
    return new FormRefused(
      input === undefined
        ? `Nobody can change ${field} now: change the input so that it stays as it is.`
        : `Leave out "${input}": nobody can change ${field} now.`,
    )
  const given = wants === 'missing' ? undefined : wants.given
  if (input !== undefined)
    return new FormRefused(
      given === undefined
        ? `Give "${input}": the app's form does not go without it.`
        : `Give "${input}" ${given}: the app's form takes nothing else.`,
    )
  if (isSet) return new FormRefused(`Change the input so that ${field} is ${given ? `given ${given}` : 'not empty'}.`)
  return new FormRefused(
    given === undefined
      ? `Fill in ${field} in the app first: it does not go without it.`
      : `Correct ${field} in the app first: it does not take what stands there.`,
  )
}

/** The input that sets a field: declared, of the same name, or the only one of its value. */
export function inputOf(
  field: string,
  values: readonly string[] | undefined,
  { definition: { input, form }, asked }: { readonly definition: EndpointDefinition; readonly asked: Fields },
): string | undefined {
  const name = form?.labels[field] ?? field
  if (Object.hasOwn(input.properties, name)) return name
  if (values === undefined) return undefined
  const same = Object.entries(asked).filter(([, given]) => {
    const texts = [given].flat().map(String)
    return texts.length === values.length && texts.every((text, at) => text === values[at])
  })
  return same.length === 1 ? same[0]?.[0] : undefined
}
