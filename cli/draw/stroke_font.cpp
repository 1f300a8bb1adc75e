// The letters are the Hershey Fonts, which anyone may use and pass on with these acknowledgements:
// the fonts were originally created by Dr. A. V. Hershey while working at the U.S. National Bureau
// of Standards; the format of the data was originally created by James Hurt, Cognition, Inc., 900
// Technology Park Drive, Billerica, MA 01821.

#include "cli/draw/stroke_font.hpp"

#include <array>
#include <cstdint>

namespace evenfold::cli {

namespace {

/// From the blank to the tilde. The first two characters are the left and the right border, each
/// further pair is a point, and " R" lifts the pen; coordinates count from R.
constexpr std::array<const char*, 97> glyphs = {
    "LX",
    "MWRFRT RRYQZR[SZRY",
    "JZNFNM RVFVM",
    "H]SBLb RYBRb RLOZO RKUYU",
    "H\\PBP_ RTBT_ RYIWGTFPFMGKIKKLMMNOOUQWRXSYUYXWZT[P[MZKX",
    "F^[FI[ RNFPHPJOLMMKMIKIIJGLFNFPGSHVHYG[F RWTUUTWTYV[X[ZZ[X[VYTWT",
    "E_\\O\\N[MZMYNXPVUTXRZP[L[JZIYHWHUISJRQNRMSKSIRGPFNGMIMKNNPQUXWZY[[[\\Z\\Y",
    "MWRHQGRFSGSIRKQL",
    "KYVBTDRGPKOPOTPYR]T`Vb",
    "KYNBPDRGTKUPUTTYR]P`Nb",
    "JZRLRX RMOWU RWOMU",
    "E_RIR[ RIR[R",
    "NVSWRXQWRVSWSYQ[",
    "E_IR[R",
    "NVRVQWRXSWRV",
    "G][BIb",
    "H\\QFNGLJKOKRLWNZQ[S[VZXWYRYOXJVGSFQF",
    "H\\NJPISFS[",
    "H\\LKLJMHNGPFTFVGWHXJXLWNUQK[Y[",
    "H\\MFXFRNUNWOXPYSYUXXVZS[P[MZLYKW",
    "H\\UFKTZT RUFU[",
    "H\\WFMFLOMNPMSMVNXPYSYUXXVZS[P[MZLYKW",
    "H\\XIWGTFRFOGMJLOLTMXOZR[S[VZXXYUYTXQVOSNRNOOMQLT",
    "H\\YFO[ RKFYF",
    "H\\PFMGLILKMMONSOVPXRYTYWXYWZT[P[MZLYKWKTLRNPQOUNWMXKXIWGTFPF",
    "H\\XMWPURRSQSNRLPKMKLLINGQFRFUGWIXMXRWWUZR[P[MZLX",
    "NVROQPRQSPRO RRVQWRXSWRV",
    "NVROQPRQSPRO RSWRXQWRVSWSYQ[",
    "F^ZIJRZ[",
    "E_IO[O RIU[U",
    "F^JIZRJ[",
    "I[LKLJMHNGPFTFVGWHXJXLWNVORQRT RRYQZR[SZRY",
    "E`WNVLTKQKOLNMMPMSNUPVSVUUVS RQKOMNPNSOUPV RWKVSVUXVZV\\T]Q]O\\L[JYHWGTFQFNGLHJJILHOHRIUJ"
    "WLYNZQ[T[WZYYZX RXKWSWUXV",
    "I[RFJ[ RRFZ[ RMTWT",
    "G\\KFK[ RKFTFWGXHYJYLXNWOTP RKPTPWQXRYTYWXYWZT[K[",
    "H]ZKYIWGUFQFOGMILKKNKSLVMXOZQ[U[WZYXZV",
    "G\\KFK[ RKFRFUGWIXKYNYSXVWXUZR[K[",
    "H[LFL[ RLFYF RLPTP RL[Y[",
    "HZLFL[ RLFYF RLPTP",
    "H]ZKYIWGUFQFOGMILKKNKSLVMXOZQ[U[WZYXZVZS RUSZS",
    "G]KFK[ RYFY[ RKPYP",
    "NVRFR[",
    "JZVFVVUYTZR[P[NZMYLVLT",
    "G\\KFK[ RYFKT RPOY[",
    "HYLFL[ RL[X[",
    "F^JFJ[ RJFR[ RZFR[ RZFZ[",
    "G]KFK[ RKFY[ RYFY[",
    "G]PFNGLIKKJNJSKVLXNZP[T[VZXXYVZSZNYKXIVGTFPF",
    "G\\KFK[ RKFTFWGXHYJYMXOWPTQKQ",
    "G]PFNGLIKKJNJSKVLXNZP[T[VZXXYVZSZNYKXIVGTFPF RSWY]",
    "G\\KFK[ RKFTFWGXHYJYLXNWOTPKP RRPY[",
    "H\\YIWGTFPFMGKIKKLMMNOOUQWRXSYUYXWZT[P[MZKX",
    "JZRFR[ RKFYF",
    "G]KFKULXNZQ[S[VZXXYUYF",
    "I[JFR[ RZFR[",
    "F^HFM[ RRFM[ RRFW[ R\\FW[",
    "H\\KFY[ RYFK[",
    "I[JFRPR[ RZFRP",
    "H\\YFK[ RKFYF RK[Y[",
    "KYOBOb RPBPb ROBVB RObVb",
    "KYKFY^",
    "KYTBTb RUBUb RNBUB RNbUb",
    "JZRDJR RRDZR",
    "I[Ib[b",
    "NVSKQMQORPSORNQO",
    "I\\XMX[ RXPVNTMQMONMPLSLUMXOZQ[T[VZXX",
    "H[LFL[ RLPNNPMSMUNWPXSXUWXUZS[P[NZLX",
    "I[XPVNTMQMONMPLSLUMXOZQ[T[VZXX",
    "I\\XFX[ RXPVNTMQMONMPLSLUMXOZQ[T[VZXX",
    "I[LSXSXQWOVNTMQMONMPLSLUMXOZQ[T[VZXX",
    "MYWFUFSGRJR[ ROMVM",
    "I\\XMX]W`VaTbQbOa RXPVNTMQMONMPLSLUMXOZQ[T[VZXX",
    "I\\MFM[ RMQPNRMUMWNXQX[",
    "NVQFRGSFREQF RRMR[",
    "MWRFSGTFSERF RSMS^RaPbNb",
    "IZMFM[ RWMMW RQSX[",
    "NVRFR[",
    "CaGMG[ RGQJNLMOMQNRQR[ RRQUNWMZM\\N]Q][",
    "I\\MMM[ RMQPNRMUMWNXQX[",
    "I\\QMONMPLSLUMXOZQ[T[VZXXYUYSXPVNTMQM",
    "H[LMLb RLPNNPMSMUNWPXSXUWXUZS[P[NZLX",
    "I\\XMXb RXPVNTMQMONMPLSLUMXOZQ[T[VZXX",
    "KXOMO[ ROSPPRNTMWM",
    "J[XPWNTMQMNNMPNRPSUTWUXWXXWZT[Q[NZMX",
    "MYRFRWSZU[W[ ROMVM",
    "I\\MMMWNZP[S[UZXW RXMX[",
    "JZLMR[ RXMR[",
    "G]JMN[ RRMN[ RRMV[ RZMV[",
    "J[MMX[ RXMM[",
    "JZLMR[ RXMR[P_NaLbKb",
    "J[XMM[ RMMXM RM[X[",
    "KYTBRCQDPFPHQJRKSMSOQQ RRCQEQGRISJTLTNSPORSTTVTXSZR[Q]Q_Ra RQSSUSWRYQZP\\P^Q`RaTb",
    "NVRBRb",
    "KYPBRCSDTFTHSJRKQMQOSQ RRCSESGRIQJPLPNQPURQTPVPXQZR[S]S_Ra RSSQUQWRYSZT\\T^S`RaPb",
    "F^IUISJPLONOPPTSVTXTZS[Q RISJQLPNPPQTTVUXUZT[Q[O",
    "NVRFPGOIPKRLTKUITGRF",  // the degree sign
    "JZKFYFY[K[KF",          // any other character
};
constexpr std::size_t degree_sign = 95, unknown = 96;

/// The letters from U+00C0 to U+017F without their accents.
constexpr char base_letters[] =
    "AAAAAAACEEEEIIIIDNOOOOOxOUUUUYPsaaaaaaaceeeeiiiidnooooo/"
    "ouuuuypyAaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGg"
    "GgGgHhHhIiIiIiIiIiIiJjKkkLlLlLlLlLlNnNnNnnNnOoOoOoOoRrRrRrSsSsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZ"
    "zs";
static_assert(sizeof base_letters == 0x180 - 0xC0 + 1);

/// The code point at a position of valid UTF-8. Moves the position past it.
std::uint32_t next_code_point(std::string_view text, std::size_t& at) {
  const auto first = static_cast<unsigned char>(text[at++]);
  std::uint32_t code = first < 0x80   ? first
                       : first < 0xE0 ? first & 0x1F
                       : first < 0xF0 ? first & 0xF
                                      : first & 7;
  for (; at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80; ++at) {
    code = code << 6 | (static_cast<unsigned char>(text[at]) & 0x3F);
  }
  return code;
}

const char* glyph_of(std::uint32_t code) {
  // The narrow blank between thousands, and the raised dot of a product.
  if (code == 0x202F || code == 0xA0) code = ' ';
  if (code == 0xB7) code = '.';
  if (code >= 0xC0 && code < 0x180) code = static_cast<unsigned char>(base_letters[code - 0xC0]);
  if (code >= ' ' && code <= '~') return glyphs[code - ' '];
  return glyphs[code == 0xB0 ? degree_sign : unknown];
}

// The height of a capital letter and the position of the baseline, in the units of the glyphs.
constexpr double capital_height = 21, baseline = 9;

}  // namespace

written_text strokes_of(std::string_view text, double size) {
  // Letters are as high as in usual fonts, and are made narrower, so that they are as wide, too.
  const double scale = 0.72 * size / capital_height;
  const double narrow = 0.84 * scale;
  written_text result;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view glyph = glyph_of(next_code_point(text, at));
    const double left = glyph[0] - 'R';
    bool lifted = true;
    for (std::size_t k = 2; k + 1 < glyph.size(); k += 2) {
      if (glyph[k] == ' ') {
        lifted = true;
        continue;
      }
      if (lifted) result.strokes.emplace_back();
      lifted = false;
      result.strokes.back().push_back({result.width + (glyph[k] - 'R' - left) * narrow,
                                       (glyph[k + 1] - 'R' - baseline) * scale});
    }
    result.width += (glyph[1] - 'R' - left) * narrow;
  }
  return result;
}

}  // namespace evenfold::cli
