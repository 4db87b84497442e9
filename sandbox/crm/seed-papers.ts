import type { DatabaseSync } from 'node:sqlite'
import type { Random } from '../platform/random.ts'
import type { Account } from '../platform/types.ts'
import type { Blueprint, Engagement, Kind, Phase, Prompt } from './entities.ts'
import { dayAfter } from './moments.ts'
import { insertPaper } from './papers.ts'
import { answers, choices, longReply } from './seed-words.ts'

const copyable: readonly Kind[] = ['PROPOSAL', 'CONTRACT', 'SURVEY', 'RIDER']

/** What comes with each turn; a contract that was answered is countersigned or waits for that. */
function phaseOf(kind: Kind, turn: number): Phase {
  if (kind === 'INTAKE') return 'DONE'
  const phase = (['DONE', 'OUT', 'SEEN', 'UNSENT', 'DONE', 'OUT', 'COUNTERSIGN'] as const)[turn % 7] ?? 'OUT'
  return phase === 'COUNTERSIGN' && kind !== 'CONTRACT' ? 'SEEN' : phase
}

function reply(random: Random, { type }: Prompt, at: number): string[] {
  if (random.between(1, 4) === 1) return []
  if (type === 'DAY') return [dayAfter(at, random.between(1, 60))]
  return type === 'CHOICES' ? [...random.pick(choices)] : [random.pick(answers)]
}

/** An intake form for each third engagement, then one to three papers each: two in a day at most come out in order. */
export function seedPapers(
  db: DatabaseSync,
  random: Random,
  day: number,
  account: Account,
  engagements: readonly Engagement[],
  blueprints: readonly Blueprint[],
): void {
  let turn = 0
  const add = (engagement: Engagement, kind: Kind, added: number): void => {
    turn += 1
    const { name, prompts } = random.pick(blueprints.filter((blueprint) => blueprint.kind === kind))
    const phase = phaseOf(kind, turn)
    const isAnswered = phase === 'DONE' || phase === 'COUNTERSIGN'
    const sent = phase === 'UNSENT' || kind === 'INTAKE' ? undefined : added + random.between(1800, 7200)
    const revised = isAnswered ? Math.min((sent ?? added) + random.between(0, 3 * 86_400), day) : undefined
    // One in eleven was handed in with nothing filled in, one has a very long answer.
    const replies = prompts.map((prompt, index) => {
      if (!isAnswered || turn % 11 === 5) return []
      return turn % 37 === 0 && index === 0 ? [longReply] : reply(random, prompt, added)
    })
    insertPaper(db, account, {
      engagement,
      kind,
      name,
      phase,
      prompts,
      replies,
      added,
      sent,
      revised,
    })
  }
  for (const [index, engagement] of engagements.entries()) {
    if (index % 3 === 0) add(engagement, 'INTAKE', engagement.opened)
    for (const [place, kind] of random.some(copyable, random.between(1, 3)).entries()) {
      add(engagement, kind, engagement.opened + (place + 1) * 3600)
    }
  }
}
