import { Type } from 'typebox'
import { closed } from '../inputs.ts'
import { fields } from '../wire.ts'
import type { Fields } from '../wire.ts'

export const Pet = {
  pet_id: Type.String(),
  name: Type.String(),
  breed: Type.String(),
  notes: closed({
    general: Type.String(),
    grooming: Type.String(),
    personality: Type.String(),
    medical: Type.String(),
  }),
}

export function pet({ pet: pet_id, nm, brd, nts }: Fields) {
  const { gen, grm, prs, med } = fields(nts)
  return {
    pet_id,
    name: nm,
    breed: brd,
    notes: { general: gen, grooming: grm, personality: prs, medical: med },
  }
}
