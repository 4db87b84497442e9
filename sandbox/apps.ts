import { campingHost } from './camping-host/app.ts'
import { courseSchool } from './course-school/app.ts'
import { crm } from './crm/app.ts'
import { digitalProducts } from './digital-products/app.ts'
import { eventManagement } from './event-management/app.ts'
import { fieldJobs } from './field-jobs/app.ts'
import { fieldService } from './field-service/app.ts'
import { fitnessStudio } from './fitness-studio/app.ts'
import { invitations } from './invitations/app.ts'
import { petSalon } from './pet-salon/app.ts'
import { photoGallery } from './photo-gallery/app.ts'
import type { SandboxApp } from './platform/types.ts'
import { propertyAdvertising } from './property-advertising/app.ts'
import { questionAnswer } from './question-answer/app.ts'
import { realEstateAnalytics } from './real-estate-analytics/app.ts'
import { salonBooking } from './salon-booking/app.ts'
import { salon } from './salon/app.ts'
import { teacherMarketplace } from './teacher-marketplace/app.ts'
import { tourActivity } from './tour-activity/app.ts'
import { tourSupplier } from './tour-supplier/app.ts'
import { travelBooking } from './travel-booking/app.ts'
import { travelLog } from './travel-log/app.ts'
import { videoStreaming } from './video-streaming/app.ts'

export const apps: readonly SandboxApp[] = [
  campingHost,
  courseSchool,
  crm,
  digitalProducts,
  eventManagement,
  fieldJobs,
  fieldService,
  fitnessStudio,
  invitations,
  petSalon,
  photoGallery,
  propertyAdvertising,
  questionAnswer,
  realEstateAnalytics,
  salon,
  salonBooking,
  teacherMarketplace,
  tourActivity,
  tourSupplier,
  travelBooking,
  travelLog,
  videoStreaming,
]
