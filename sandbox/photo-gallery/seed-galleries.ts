import { type Frame, type Gallery, type Grab, type Heart, type Mail } from './entities.ts'
import { addDays, dayIn } from './clock.ts'
import { insertFrames } from './frames.ts'
import { insertGallery, keyOf } from './galleries.ts'
import { insertGrabs, insertHearts } from './guests.ts'
import { inviteLetter } from './mails.ts'
import { secretOf, type Ground } from './seed-ground.ts'
import { longRemark, notes, remarks, titles } from './seed-words.ts'

const galleryCount = 96
const hour = 3_600_000

/** A mail that is still to get its number: all of them are numbered in the order of their times. */
export type Planned = Omit<Mail, 'serial' | 'batch'>

function titleOf({ random, people }: Ground, index: number): string {
  if (index === 30) return '✂'
  if (index === 31) return 'All that happened on the three days in the mountains, '.repeat(4).slice(0, 200)
  return `${random.pick(titles)} ${random.pick(people).fullName}`.slice(0, 200)
}

/** How many frames: one gallery has very many, each eighth none yet. */
function sizeOf({ random }: Ground, index: number): number {
  if (index === 90) return 130
  return index % 8 === 5 ? 0 : random.between(3, 40)
}

/** Index 0 is the oldest. */
function makeGallery(ground: Ground, index: number): Gallery {
  const { random, account, base, day, zone } = ground
  const made = day - (galleryCount - index) * 4 * 24 * hour + random.between(0, 3 * 24 * hour)
  const title = titleOf(ground, index)
  return {
    serial: base + index + 1,
    account: account.account,
    key: keyOf(title, secretOf(`gallery ${account.ordinal} ${index}`) + (base + index).toString(36)),
    title,
    shootDay: index % 10 === 7 ? null : addDays(dayIn(zone, made), index % 10 === 8 ? 40 : -random.between(1, 30)),
    password: index % 3 === 1 ? `velvet-${secretOf(`password ${index}`)}` : null,
    pin: index % 4 === 2 ? String(1000 + ((index * 977) % 9000)) : null,
    made,
    frames: 0,
    invited: 0,
  }
}

function makeFrames({ random }: Ground, gallery: Gallery, from: number, size: number): Frame[] {
  const first = random.between(1, 8000)
  return Array.from({ length: size }, (_, at) => {
    const file = at % 11 === 10 ? `Émilie & co ${first + at}.jpg` : `DSC_${String(first + at).padStart(4, '0')}.jpg`
    const source = `https://camera-cards.example/${gallery.key}/${encodeURIComponent(file)}`
    return { serial: from + at, file, source, kb: random.between(2000, 12_000), made: gallery.made + at * 2000 }
  })
}

/** Of each gallery with frames but every sixth: some hearts, a third of them with a remark. */
function makeHearts(
  { random, people }: Ground,
  gallery: Gallery,
  frames: Frame[],
  from: number,
  index: number,
): Heart[] {
  if (index % 6 === 3) return []
  const size = index === 90 ? 70 : random.between(2, 7)
  return random.some(frames, size).map((frame, at) => {
    const long = index === 90 && at === 0
    const remark = long ? longRemark : at % 3 === 1 ? random.pick(remarks) : null
    const who = random.pick(people).mail || 'guest@mail.example'
    return { serial: from + at, file: frame.file, who, remark, made: gallery.made + (at + 1) * 3 * hour }
  })
}

/** Nobody downloaded from every third gallery. */
function makeGrabs({ random, people }: Ground, gallery: Gallery, files: number, from: number, index: number): Grab[] {
  const size = index % 3 === 0 ? 0 : index === 91 ? 65 : random.between(1, 4)
  return Array.from({ length: size }, (_, at) => {
    const who = random.pick(people).mail || 'guest@mail.example'
    return { serial: from + at, who, files, made: gallery.made + (at + 1) * hour + random.between(0, hour) }
  })
}

function makeInvites(ground: Ground, gallery: Gallery): Planned[] {
  const { random, account, people } = ground
  const note = random.pick(notes)
  const letter = inviteLetter(gallery, account.label, 'https://prooflight.example', note)
  return random
    .some(people, random.between(1, 3))
    .flatMap(({ mail }) => (mail === '' ? [] : [{ ...letter, recipient: mail, sent: gallery.made + 2 * hour }]))
}

/** Galleries with all that guests did there; answers the storage used and the invites to be sent. */
export function seedGalleries(ground: Ground): { usedKb: number; mails: Planned[] } {
  const { db, account, base } = ground
  const next = { frames: base + 1, hearts: base + 1, grabs: base + 1 }
  const mails: Planned[] = []
  let usedKb = 0
  for (let index = 0; index < galleryCount; index++) {
    const gallery = makeGallery(ground, index)
    const frames = makeFrames(ground, gallery, next.frames, sizeOf(ground, index))
    const hearts = makeHearts(ground, gallery, frames, next.hearts, index)
    const grabs = frames.length === 0 ? [] : makeGrabs(ground, gallery, frames.length, next.grabs, index)
    insertGallery(db, gallery)
    insertFrames(db, account.account, gallery.serial, frames)
    insertHearts(db, gallery, hearts)
    insertGrabs(db, gallery, grabs)
    next.frames += frames.length
    next.hearts += hearts.length
    next.grabs += grabs.length
    usedKb += frames.reduce((sum, { kb }) => sum + kb, 0)
    if (frames.length > 0 && index % 4 !== 0) mails.push(...makeInvites(ground, gallery))
  }
  return { usedKb, mails }
}
