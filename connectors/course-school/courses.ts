import { Type } from 'typebox'
import { endpoint } from '../define.ts'
import { closed } from '../inputs.ts'
import { rows } from '../wire.ts'
import { CourseId, inOrder, ref } from './words.ts'

export const list_courses = endpoint({
  summary: 'List the courses of your school, oldest first.',
  access: 'read',
  request: 'GET /api/schools/mine/courses',
  input: {
    published: Type.Optional(
      Type.Boolean({ description: 'true for published courses only, false for unpublished ones; default all.' }),
    ),
  },
  output: {
    courses: Type.Array(
      closed({ course_id: Type.String(), name: Type.String(), published: Type.Boolean(), url: Type.String() }),
    ),
  },
  encode: ({ published }) => ({ query: { state: published === undefined ? 'any' : published ? 'live' : 'draft' } }),
  decode: (answer) => ({
    courses: rows(answer['rows']).map(({ no, heading, live, permalink }) => ({
      course_id: ref(no),
      name: heading,
      published: live,
      url: permalink,
    })),
  }),
})

export const get_curriculum = endpoint({
  summary: 'Show the sections of a course and their lessons, in the order that students see.',
  access: 'read',
  request: 'GET /api/schools/mine/courses/{course_id}/outline',
  input: { course_id: CourseId },
  output: {
    course_id: Type.String(),
    sections: Type.Array(
      closed({
        section_id: Type.String(),
        name: Type.String(),
        lessons: Type.Array(
          closed({
            lesson_id: Type.String(),
            name: Type.String(),
            published: Type.Boolean(),
            public_preview: Type.Boolean(),
          }),
        ),
      }),
    ),
  },
  decode: ({ course, chapters, lectures }) => {
    const lessons = Object.groupBy(inOrder(lectures), ({ section }) => ref(section))
    return {
      course_id: ref(course),
      sections: inOrder(chapters).map((chapter) => ({
        section_id: ref(chapter['no']),
        name: chapter['heading'],
        lessons: (lessons[ref(chapter['no'])] ?? []).map(({ no, heading, live, free_sample }) => ({
          lesson_id: ref(no),
          name: heading,
          published: live,
          public_preview: free_sample,
        })),
      })),
    }
  },
})
