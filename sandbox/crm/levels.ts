import { Refusal, type Viewer } from '../platform/types.ts'

/** owner: everything. producer: everything but money. assistant: the engagements that are assigned to them, nothing goes out. */
export const levels = ['owner', 'producer', 'assistant'] as const

type Right = 'see-all' | 'open' | 'send' | 'money'

const rights: Record<string, readonly Right[]> = {
  owner: ['see-all', 'open', 'send', 'money'],
  producer: ['see-all', 'open', 'send'],
  assistant: [],
}

export const may = ({ account }: Viewer, right: Right): boolean => rights[account.kind]?.includes(right) ?? false

export function need(viewer: Viewer, right: Right): void {
  if (may(viewer, right)) return
  throw new Refusal(403, 'LEVEL_TOO_LOW', `Your level (${viewer.account.kind}) does not allow this. Ask the owner.`)
}

/** Part of a WHERE over engagements `e`: those that the viewer's level shows. */
export function visible({ account, ...viewer }: Viewer): [string, ...string[]] {
  const mine = 'e.account = ?'
  if (may({ account, ...viewer }, 'see-all')) return [mine, account.account]
  return [`${mine} AND e.assignee = ?`, account.account, account.person]
}
