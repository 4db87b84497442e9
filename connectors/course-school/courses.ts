import { Type } from 'typebox'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, refTo } from '../kit/inputs.ts'
import { rows } from '../kit/wire.ts'
import { CourseId, Lesson, inOrder, ref } from './shared.ts'

export const list_courses = endpoint({
  summary: 'List the courses of your school, oldest first.',
  aliases: [
    'which courses do I teach',
    'my classes online',
    'published courses',
    'course catalogue',
    'what do I teach',
    'courses that are still drafts',
  ],
  label: 'List courses',
  brief: ['published'],
  access: 'read',
  request: 'GET /api/schools/mine/courses',
  input: {
    published: Type.Optional(
      labelled(
        'Published',
        Type.Boolean({ description: 'true for published courses only, false for unpublished ones; default all.' }),
      ),
    ),
  },
  output: {
    courses: Type.Array(
      closed({
        course_id: refTo('course', 'Pass it to get_curriculum, enroll_student and all that ask for a course.'),
        name: Type.String({ description: "The course's title, as students see it." }),
        published: labelled(
          'Published',
          Type.Boolean({ description: 'true: everybody can see its page; false: only the school can.' }),
        ),
        url: labelled(
          'Address',
          Type.String({ description: "The address of the course's public page; it opens while published." }),
        ),
      }),
      { description: 'The courses of your school, oldest first.' },
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
  aliases: [
    'outline of a course',
    'what lessons are in the course',
    'chapters and sections',
    'course structure',
    'table of contents',
  ],
  label: 'Show a curriculum',
  brief: ['course_id'],
  access: 'read',
  request: 'GET /api/schools/mine/courses/{course_id}/outline',
  input: { course_id: CourseId },
  output: {
    course_id: refTo('course', 'The course that you asked for, as in list_courses.'),
    sections: Type.Array(
      closed({
        section_id: refTo('section', 'Pass it to create_lesson to add a lesson at its end.'),
        name: Type.String({ description: "The section's heading, as students see it." }),
        lessons: Type.Array(
          closed({
            ...Lesson,
            public_preview: Type.Boolean({
              description: 'Whether people who have not bought the course are shown it too.',
            }),
          }),
          { description: 'In the order that students see, hidden ones too; empty when it has none.' },
        ),
      }),
      { description: 'The parts of the course, in the order that students see.' },
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
