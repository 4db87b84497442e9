import type { Chapter, Comment, Coupon, Course, Lecture, Piece, Plan, School, Student } from './entities.ts'
import { stateOf } from './coupons.ts'
import { isoIn, showDay } from './times.ts'

export const decimal = (hundredths: number): string => (hundredths / 100).toFixed(2)

export const courseOut = (course: Course, school: School, base: string): Record<string, unknown> => ({
  no: course.id,
  heading: course.title,
  live: course.live,
  permalink: `${base}/learn/${school.no}/${course.permalink}`,
})

const lectureHead = ({ id, chapter, title, live, sample }: Lecture): Record<string, unknown> => ({
  no: id,
  section: chapter,
  heading: title,
  live,
  free_sample: sample,
})

export const outlineOut = (course: Course, chapters: Chapter[], lectures: Lecture[]): Record<string, unknown> => ({
  course: course.id,
  chapters: chapters.map(({ id, heading, pos }) => ({ no: id, heading, pos })),
  lectures: lectures.map((lecture) => ({ ...lectureHead(lecture), pos: lecture.pos })),
})

export const lectureOut = (lecture: Lecture, pieces: Piece[], zone: string): Record<string, unknown> => ({
  course: lecture.course,
  ...lectureHead(lecture),
  edited: isoIn(zone, lecture.edited),
  pieces: pieces.map(({ id, kind, pos, content }) => ({
    no: id,
    kind,
    pos,
    ...(kind === 'rich_text' ? { md: content } : { caption: content }),
  })),
})

export const studentOut = ({ id, name, mail, joined }: Student, zone: string): Record<string, unknown> => ({
  uid: id,
  full_name: name,
  mail,
  joined: isoIn(zone, joined),
})

export const commentOut = (comment: Comment, zone: string): Record<string, unknown> => ({
  no: comment.id,
  course: comment.course,
  lecture: { no: comment.lecture, heading: comment.lectureTitle },
  by: comment.author,
  text: comment.content,
  state: comment.state,
  seen: comment.seen,
  reply_to: comment.parent ?? null,
  posted: isoIn(zone, comment.posted),
})

function covers({ scope, type, plan }: Coupon): Record<string, unknown> {
  if (scope === 'type') return { scope, type }
  return scope === 'plan' ? { scope, plan } : { scope }
}

export const couponOut = (coupon: Coupon, school: School, now: number): Record<string, unknown> => ({
  no: coupon.id,
  label: coupon.label,
  code: coupon.code,
  off:
    coupon.tenths === undefined
      ? { amount: decimal(coupon.cents ?? 0), currency: school.currency }
      : { percent: (coupon.tenths / 10).toFixed(1) },
  covers: covers(coupon),
  ends: coupon.ends === undefined ? null : showDay(coupon.ends),
  stock: coupon.stock ?? null,
  redeemed: coupon.redeemed,
  state: stateOf(coupon, school, now),
})

export const planOut = ({ id, course, title, cents }: Plan, school: School): Record<string, unknown> => ({
  no: id,
  course,
  heading: title,
  price: { amount: decimal(cents), currency: school.currency },
})
