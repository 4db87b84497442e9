import { addDays } from './clock.ts'
import { levels, topics } from './catalog.ts'
import { insertGood, putOnShelf, sorts, type Good } from './goods.ts'
import type { Ground } from './seed-ground.ts'
import { abouts, drawers, labels, longAbout, makes, themes, wholeNames } from './seed-words.ts'

const fileKinds = ['PDF', 'PDF', 'ZIP', 'PPTX', 'PNG', 'XLSX', 'DOCX', 'MP3'] as const

/** Six of ten are downloads, two bundles, one a video, one lies in the cloud. */
const sortOf = (index: number): string => sorts[[0, 0, 0, 1, 0, 2, 0, 3, 0, 1][index % 10] ?? 0] ?? 'download'

function costOf({ random }: Ground, index: number): number {
  if (index % 23 === 8) return 0
  return index === 99 ? 100_000 : random.between(2, 40) * 50 - (index % 2)
}

function makePart({ random, today }: Ground, sort: string, index: number): { madeAs: string[]; part: Good['part'] } {
  if (sort === 'bundle') return { madeAs: index % 4 === 1 ? ['PDF', 'ZIP', 'PPTX'] : ['ZIP'], part: undefined }
  const format = sort === 'video' ? 'MP4' : sort === 'cloud' ? 'SLIDES' : random.pick(fileKinds)
  const file = `${random.pick(makes).toLowerCase().replaceAll(' ', '-')}-${index + 1}.${format.toLowerCase()}`
  const revision = index % 5 === 0 ? random.between(2, 5) : 1
  const day = addDays(today, -random.between(125, 240))
  return { madeAs: [format], part: { file, kb: random.between(90, 60_000), revision, day } }
}

function makeGood(ground: Ground, index: number, many: number): Good {
  const { random, account, today, next } = ground
  const cost = costOf(ground, index)
  const sort = sortOf(index)
  return {
    no: next(),
    account: account.account,
    sort,
    shelf: index % 3 === 1 ? 'hidden' : 'live',
    name: index % 14 === 6 ? (wholeNames[(index - 6) / 14] ?? 'Pi') : `${random.pick(themes)} ${random.pick(makes)}`,
    about: index === 120 ? longAbout : random.pick(abouts),
    cost,
    moreCost: Math.round(cost * (index % 4 === 0 ? 1 : 0.9)),
    levels: index % 11 === 5 ? [] : random.some(levels, random.between(1, 4)),
    topics: random.some(topics, random.between(1, 3)),
    labels: index % 6 === 2 ? [] : random.some(labels, random.between(1, 5)),
    drawer: drawers[index % drawers.length] ?? '',
    listed: addDays(today, -(many - index) * 4 - 241),
    ...makePart(ground, sort, index),
  }
}

/** Oldest first; of three the middle one is hidden. */
export function seedGoods(ground: Ground, many: number): Good[] {
  const goods = Array.from({ length: many }, (_, index) => makeGood(ground, index, many))
  for (const good of goods) {
    insertGood(ground.db, good)
    putOnShelf(ground.db, ground.next(), good.no, good.shelf)
  }
  return goods
}
