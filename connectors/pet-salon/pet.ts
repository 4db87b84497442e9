import { Type } from 'typebox'
import { labelled } from '../kit/declared.ts'
import { closed, described } from '../kit/inputs.ts'
import { fields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { OutPetId, PetName } from './shared.ts'

export const Pet = {
  pet_id: OutPetId,
  name: PetName,
  breed: labelled('Breed', Type.String({ description: 'As the salon wrote it, such as Poodle.' })),
  notes: described(
    closed({
      general: Type.String({ description: 'General notes on the pet; empty when there are none.' }),
      grooming: Type.String({ description: 'Notes on its grooming; empty when there are none.' }),
      personality: Type.String({ description: 'Notes on its personality; empty when there are none.' }),
      medical: Type.String({ description: 'Medical notes on the pet; empty when there are none.' }),
    }),
    'For the team only; change them with update_pet_notes.',
  ),
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
