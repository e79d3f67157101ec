// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace heapscape::engine {

/// A colour as 0xRRGGBB: on light grounds, on dark ones, and on black where high contrast is wanted.
struct Shades {
  std::uint32_t light;
  std::uint32_t dark;
  std::uint32_t contrast;
};

/// The colour of each meaning, in the window as in reports. The set is near Okabe and Ito's; what stands in one picture
/// is told apart with every kind of colour blindness.
namespace palette {

inline constexpr Shades kGen0{0x56B4E9, 0x69C8FA, 0x81D5FF};
inline constexpr Shades kGen1{0x009E73, 0x00B67D, 0x7DC38A};
inline constexpr Shades kGen2{0x0072B2, 0x338ED1, 0x4DA3FF};
inline constexpr Shades kLarge{0xA66381, 0xCE89AD, 0xFF90CB};
inline constexpr Shades kPinned{0xE69F00, 0xF0B33B, 0xFFC14C};
inline constexpr Shades kFrozen{0x8A94A6, 0xBBC9DA, 0xE3E6ED};
inline constexpr Shades kFree{0xECEEF1, 0x2A2E35, 0x1C1C1C};
inline constexpr Shades kFreeDots{0xBCC2CA, 0x4A515B, 0xFFFFFF};

inline constexpr Shades kReference = kGen2;
inline constexpr Shades kPrimitive = kGen1;
inline constexpr Shades kValueType = kPinned;  // thinned, so that what is written on it reads
inline constexpr Shades kHeader{0xCFD5DD, 0x3C424B, 0x959DA6};
inline constexpr Shades kMethodTable{0xA5ACB7, 0x5E6673, 0xC6CCD5};
inline constexpr Shades kPadding{0xB54A00, 0xF07B2B, 0xF38238};  // always hatched as well

// Calm tints for what is not the GC's.
inline constexpr Shades kGcBookkeeping{0x6A6560, 0x514D47, 0xA89B95};
inline constexpr Shades kLoaderHeap{0xB1D8C0, 0x2F7A72, 0x00FF92};
inline constexpr Shades kJitCode{0xC1B8CF, 0x44528A, 0xC8C1BB};
inline constexpr Shades kThreadStack{0xF4E7B3, 0x7A6A33, 0xD1F4CE};
inline constexpr Shades kNativeMemory{0xC5969A, 0xA24462, 0xFF6259};
inline constexpr Shades kMappedFile{0xE3E7EC, 0x2F363F, 0x9796A3};

inline constexpr Shades kText{0x1F2328, 0xE4E7EB, 0xFFFFFF};
inline constexpr Shades kDimmedText{0x5C646E, 0x9AA3AF, 0xE0E0E0};
inline constexpr Shades kOutline{0xA9B0BA, 0x5C6470, 0xFFFFFF};
inline constexpr Shades kGridLine{0xE4E7EB, 0x30353D, 0x8A8A8A};
inline constexpr Shades kSurface{0xFFFFFF, 0x1B1E23, 0x000000};

}  // namespace palette

/// The share of the light that a colour (0xRRGGBB) reflects, 0 to 1, as WCAG 2 has it: channels by the eye's weight.
double luminanceOf(std::uint32_t colour);

}  // namespace heapscape::engine
