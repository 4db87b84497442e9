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

/** Output fields that several endpoints share. */
export const Lesson = {
  lesson_id: refTo('lesson', 'Pass it to get_lesson, update_lesson and publish_lesson.'),
  name: Type.String({ description: "The lesson's title, as students see it." }),
  published: labelled('Published', Type.Boolean({ description: 'Whether students of the course can see the lesson.' })),
}

/** The app's ids are numbers; here they are strings. */
export function ref(value: unknown): string {
  return String(number(value))
}

/** The app writes timestamps with the school's UTC offset. */
export function utc(value: unknown): string {
  return fromEpoch(Date.parse(text(value)) / 1000)
}

/** The app returns creation order; users see the order of `pos`. */
export function inOrder(value: unknown): readonly Fields[] {
  return rows(value).toSorted((a, b) => number(a['pos']) - number(b['pos']))
}

/** CSRF token of the forms on an admin page. */
export function formOn(page: string): Csrf {
  return formToken({ page: `/schools/mine${page}`, field: '_csrf' })
}

/** The outcome of a form, from its redirect: the named groups of `form`. */
export function formSaid(location: string, form: RegExp): Readonly<Record<string, string>> {
  const groups = form.exec(location.replace(/^schools\/mine/, ''))?.groups
  if (!groups) throw new UnknownShape('led elsewhere')
  return groups
}
