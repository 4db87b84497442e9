import { Type } from 'typebox'
import { formToken } from '../kit/csrf.ts'
import type { Csrf } from '../kit/csrf.ts'
import { fromEpoch } from '../kit/dates.ts'
import { labelled } from '../kit/declared.ts'
import { id, refTo } from '../kit/inputs.ts'
import { UnknownShape, number, rows, text } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'

export const CourseId = labelled('Course', id('course', 'Which course: course_id from list_courses.'))
export const LessonId = labelled('Lesson', id('lesson', 'Which lesson of the course: lesson_id from get_curriculum.'))

/** Outputs that several endpoints have. */
export const Lesson = {
  lesson_id: refTo('lesson', 'Pass it to get_lesson, update_lesson and publish_lesson.'),
  name: Type.String({ description: "The lesson's title, as students see it." }),
  published: labelled('Published', Type.Boolean({ description: 'Whether students of the course can see the lesson.' })),
}

/** Things are numbers in the app, identifiers here. */
export function ref(value: unknown): string {
  return String(number(value))
}

/** The app writes moments in the school's own zone. */
export function utc(value: unknown): string {
  return fromEpoch(Date.parse(text(value)) / 1000)
}

/** The app hands things out as they were made; what people see is their order by `pos`. */
export function inOrder(value: unknown): readonly Fields[] {
  return rows(value).toSorted((a, b) => number(a['pos']) - number(b['pos']))
}

/** The token of the forms on a page of the admin. */
export function formOn(page: string): Csrf {
  return formToken({ page: `/schools/mine${page}`, field: '_csrf' })
}

/** What the page that a form led to says about what was done: the named groups of `form`. */
export function formSaid(location: string, form: RegExp): Readonly<Record<string, string>> {
  const groups = form.exec(location.replace(/^schools\/mine/, ''))?.groups
  if (!groups) throw new UnknownShape('led elsewhere')
  return groups
}
